import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Execution, MessageAction } from "@weft/client";
import { client, errorSentence } from "../../api/client.ts";
import { executionKeys } from "../../api/executions.ts";
import type { HumanReply } from "../../chat/index.ts";
import { executionStrings } from "../../strings.ts";
import { notifyDone, notifyFailed } from "../../ui/page/notices.tsx";

type Given = { action: MessageAction; given: HumanReply };

/** Actions for a run. Each reports its result. */
export function useExecutionActions(id: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const onError = (error: unknown) => notifyFailed(errorSentence(error));
  const onDone = (message: string) => {
    notifyDone(message);
    return queryClient.invalidateQueries({ queryKey: executionKeys.all });
  };

  const cancel = useMutation({
    mutationFn: () => client.cancelExecution({ id }),
    onSuccess: () => onDone(executionStrings.cancelled),
    onError,
  });
  const retry = useMutation({
    mutationFn: () => client.retryExecution({ id }),
    async onSuccess(begun) {
      await onDone(executionStrings.retried);
      await navigate({ to: "/executions/$executionId", params: { executionId: begun.id } });
    },
    onError,
  });
  const remove = useMutation({
    mutationFn: () => client.deleteExecution({ id }),
    async onSuccess() {
      await navigate({ to: "/executions" });
      queryClient.removeQueries({ queryKey: executionKeys.one(id) });
      await onDone(executionStrings.deleted);
    },
    onError,
  });
  const answer = useMutation({
    mutationFn: ({ action, given: { type, feedback } }: Given) =>
      client.answerExecution({ id }, { type, waitId: action.id, ...(feedback !== "" && { feedback }) }),
    onSuccess: () => onDone(executionStrings.answered),
    onError,
  });
  return { cancel, retry, remove, answer };
}

const refreshMs = 3_000;
/** A delivery is made about a second after the run waits or ends: so often none is found before none is expected. */
const patientReads = 5;
/** A run tells its callback address when it waits and when it ends. */
const most = 100;

export const callbackKey = (executionId: string) => ["callbacks", executionId] as const;

/** Deliveries to a run's callback address. Refetched while any delivery is pending or may be added. */
export const callbacksQuery = ({ id, agentflow, state }: Pick<Execution, "id" | "agentflow" | "state">) =>
  queryOptions({
    queryKey: [...callbackKey(id), state],
    enabled: agentflow !== null,
    queryFn: ({ signal }) =>
      client.listCallbackDeliveries({ id: agentflow?.id ?? "", executionId: id, limit: most }, { signal }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      const deliveries = data?.data ?? [];
      const isExpected = deliveries.length === 0 && dataUpdateCount < patientReads;
      return isExpected || deliveries.some((delivery) => delivery.state === "PENDING") ? refreshMs : false;
    },
  });
