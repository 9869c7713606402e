import { Group, Textarea } from "@mantine/core";
import type { MessageAction } from "@weft/client";
import { isJsonObject, toJsonList, toJsonObject } from "@weft/schema";
import { useState } from "react";
import { Check, SendHorizontal, X } from "../../icons/icons.gen.ts";
import { chatStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import type { HumanReply } from "../session/chat-session.ts";
import { ProposedCalls } from "./answer-evidence.tsx";
import classes from "./human-answer.module.css";

type Props = { action: MessageAction; isDisabled: boolean; onAnswer: (answer: HumanReply) => void };

/** The input for a run's question: yes or no with a comment if the run accepts one, one of several options, or text. */
export function HumanAnswer({ action, isDisabled, onAnswer }: Props) {
  const { approve, reject, toolCalls } = action.mapping;
  const words = wordsOf(action);
  return (
    <fieldset className={classes.ask} aria-label={words === undefined ? `${approve} / ${reject}` : approve}>
      {toolCalls.length > 0 && <ProposedCalls calls={toolCalls} />}
      {words === undefined ? (
        <Decision action={action} isDisabled={isDisabled} onAnswer={onAnswer} />
      ) : (
        <Words words={words} isDisabled={isDisabled} onAnswer={onAnswer} />
      )}
    </fieldset>
  );
}

function Decision({ action, isDisabled, onAnswer }: Props) {
  const [feedback, setFeedback] = useState("");
  const { approve, reject } = action.mapping;
  const answer = (type: HumanReply["type"], label: string) => onAnswer({ type, label, feedback: feedback.trim() });
  return (
    <>
      {takesFeedback(action) && <TextField label={chatStrings.humanFeedback} value={feedback} onChange={setFeedback} />}
      <Group gap="xs">
        <Action
          icon={Check}
          label={approve}
          size="xs"
          disabled={isDisabled}
          onClick={() => answer("proceed", approve)}
          variant="filled"
        />
        <Action icon={X} label={reject} size="xs" disabled={isDisabled} onClick={() => answer("reject", reject)} />
      </Group>
    </>
  );
}

/** `takesText`: any text is an answer, not only an option. */
type WordsRule = { options: string[]; takesText: boolean };

function Words({ words: { options, takesText }, isDisabled, onAnswer }: Omit<Props, "action"> & { words: WordsRule }) {
  const [text, setText] = useState("");
  const send = (feedback: string) => onAnswer({ type: "proceed", label: feedback, feedback });
  return (
    <>
      {options.length > 0 && (
        <Group gap="xs">
          {options.map((option) => (
            <Action label={option} key={option} size="xs" disabled={isDisabled} onClick={() => send(option)} />
          ))}
        </Group>
      )}
      {takesText && (
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <div className={classes.text}>
            <TextField label={chatStrings.humanText} value={text} onChange={setText} />
          </div>
          <Action
            icon={SendHorizontal}
            label={chatStrings.humanSend}
            size="xs"
            disabled={isDisabled || text.trim() === ""}
            onClick={() => send(text.trim())}
            variant="filled"
          />
        </Group>
      )}
    </>
  );
}

function TextField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Textarea
      aria-label={label}
      placeholder={label}
      autosize
      minRows={1}
      maxRows={6}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Runs accept comments by default. */
function takesFeedback({ data }: MessageAction): boolean {
  const input = data?.input;
  return !isJsonObject(input) || input.humanInputEnableFeedback !== false;
}

/** Undefined for a yes-or-no question. */
function wordsOf({ data }: MessageAction): WordsRule | undefined {
  const { answer } = toJsonObject(data?.input);
  if (!isJsonObject(answer)) return undefined;
  const options = toJsonList(answer.options).filter((option) => typeof option === "string");
  return { options, takesText: answer.type === "text" || answer.otherAnswers === true || options.length === 0 };
}
