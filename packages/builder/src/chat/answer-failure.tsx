import { Alert, Button, Group, Text } from "@mantine/core";
import { CircleAlert, Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import { chatStrings } from "../strings/chat.ts";
import type { Answer, AnswerState } from "./conversation.ts";
import { RunLink } from "./run-link.tsx";

type FailedState = Extract<AnswerState, { type: "failed" | "lost" }>;
type Props = { answer: Answer; state: FailedState; isDisabled: boolean; onRetry: () => void };

/** Why there is no answer, or not the whole of it, and what to do. */
export function AnswerFailure({ answer, state, isDisabled, onRetry }: Props) {
  const secondsLeft = useSecondsUntil(state.failure.retryAtMs ?? 0);
  const isLost = state.type === "lost";
  const Icon = isLost ? Unplug : CircleAlert;
  return (
    <Alert
      role="alert"
      color={isLost ? "yellow" : "red"}
      variant="light"
      mt="xs"
      icon={<Icon size={18} aria-hidden />}
      title={isLost ? chatStrings.lost : chatStrings.failed}
    >
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {state.failure.message}
      </Text>
      <Group mt="sm" gap="sm">
        <Button size="xs" variant="default" disabled={isDisabled || secondsLeft > 0} onClick={onRetry}>
          {secondsLeft > 0 ? chatStrings.tryAgainIn(secondsLeft) : retryLabel(answer)}
        </Button>
        {answer.executionId !== undefined && <RunLink executionId={answer.executionId} />}
      </Group>
    </Alert>
  );
}

function retryLabel({ state, executionId }: Answer): string {
  if (state.type === "lost") return chatStrings.reconnect;
  return executionId === undefined ? chatStrings.tryAgain : chatStrings.retryStep;
}

/** Counts down to a moment, in whole seconds; 0 afterwards. */
function useSecondsUntil(atMs: number): number {
  const left = () => Math.max(0, Math.ceil((atMs - Date.now()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it counts to the moment that is given.
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => {
      setSeconds(left());
      if (left() === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [atMs]);
  return seconds;
}
