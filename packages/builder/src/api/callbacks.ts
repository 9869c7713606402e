import { queryOptions } from "@tanstack/react-query";
import type { Execution } from "@weft/client";
import { client } from "./client.ts";

const refreshMs = 3_000;
/** A run tells its callback address when it waits and when it ends. */
const most = 100;

export const callbackKey = (executionId: string) => ["callbacks", executionId] as const;

/** What was sent to the callback address of a run. It is read anew while something is still to be sent. */
export const callbacksQuery = ({ id, agentflow }: Pick<Execution, "id" | "agentflow">) =>
  queryOptions({
    queryKey: callbackKey(id),
    enabled: agentflow !== null,
    queryFn: ({ signal }) =>
      client.listCallbackDeliveries({ id: agentflow?.id ?? "", executionId: id, limit: most }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((delivery) => delivery.state === "PENDING") ? refreshMs : false,
  });
