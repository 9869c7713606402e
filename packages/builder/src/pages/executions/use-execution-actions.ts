import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { MessageAction } from "@weft/client";
import { client } from "../../api/client.ts";
import { errorSentence } from "../../api/error-sentence.ts";
import { executionKeys } from "../../api/executions.ts";
import type { HumanAnswer } from "../../chat/chat-session.ts";
import { executionStrings } from "../../strings/executions.ts";

type Given = { action: MessageAction; given: HumanAnswer };

/** Actions for a run. Each reports its result. */
export function useExecutionActions(id: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const onError = (error: unknown) => notifications.show({ color: "red", message: errorSentence(error) });
  const onDone = (message: string) => {
    notifications.show({ message });
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
