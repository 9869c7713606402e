import { Button, Group, Textarea } from "@mantine/core";
import type { MessageAction } from "@weft/client";
import { isJsonObject } from "@weft/schema";
import { Check, X } from "lucide-react";
import { useState } from "react";
import type { HumanReply } from "../session/chat-session.ts";
import { chatStrings } from "../strings.ts";
import { ProposedCalls } from "./answer-evidence.tsx";
import classes from "./human-answer.module.css";

type Props = { action: MessageAction; isDisabled: boolean; onAnswer: (answer: HumanReply) => void };

/** Approve or reject buttons for a run's question, with a comment if the run accepts one. */
export function HumanAnswer({ action, isDisabled, onAnswer }: Props) {
  const [feedback, setFeedback] = useState("");
  const { approve, reject, toolCalls } = action.mapping;
  const answer = (type: HumanReply["type"], label: string) => onAnswer({ type, label, feedback: feedback.trim() });
  return (
    <fieldset className={classes.ask} aria-label={`${approve} / ${reject}`}>
      {toolCalls.length > 0 && <ProposedCalls calls={toolCalls} />}
      {takesFeedback(action) && (
        <Textarea
          aria-label={chatStrings.humanFeedback}
          placeholder={chatStrings.humanFeedback}
          autosize
          minRows={1}
          maxRows={6}
          value={feedback}
          onChange={(event) => setFeedback(event.currentTarget.value)}
        />
      )}
      <Group gap="xs">
        <Button
          size="xs"
          leftSection={<Check size={14} aria-hidden />}
          disabled={isDisabled}
          onClick={() => answer("proceed", approve)}
        >
          {approve}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<X size={14} aria-hidden />}
          disabled={isDisabled}
          onClick={() => answer("reject", reject)}
        >
          {reject}
        </Button>
      </Group>
    </fieldset>
  );
}

/** Runs accept comments by default. */
function takesFeedback({ data }: MessageAction): boolean {
  const input = data?.input;
  return !isJsonObject(input) || input.humanInputEnableFeedback !== false;
}
