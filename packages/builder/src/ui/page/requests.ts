import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { notifyDone, notifyFailed } from "./notices.tsx";

/** What follows a request that succeeded, in this order. */
export type Outcome<Answer, Sent = void> = {
  /** What to load again. */
  stale?: readonly QueryKey[];
  /** What to say in the corner of the screen. */
  done?: string | ((answer: Answer, sent: Sent) => string) | undefined;
  next?: ((answer: Answer, sent: Sent) => unknown) | undefined;
};

type Options<Answer, Sent> = Outcome<Answer, Sent> & {
  /** Says in the corner of the screen why it failed. Default: only `error` does. */
  isLoud?: boolean;
};

/** A request that someone sends by a button or a form. */
export function useRequest<Answer, Sent = void>(
  send: (sent: Sent) => Promise<Answer>,
  { stale = [], done, next, isLoud = false }: Options<Answer, Sent> = {},
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    async onSuccess(answer, sent) {
      for (const queryKey of stale) await queries.invalidateQueries({ queryKey });
      if (done !== undefined) notifyDone(typeof done === "string" ? done : done(answer, sent));
      await next?.(answer, sent);
    },
    ...(isLoud && { onError: notifyFailed }),
  });
}
