import { Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { chatStrings } from "../strings/chat.ts";
import { AnswerFailure } from "./answer-failure.tsx";
import { FeedbackComment, FeedbackThumbs } from "./answer-feedback.tsx";
import classes from "./answer-view.module.css";
import type { ChatSession } from "./chat-session.ts";
import { isGoingOn, type Turn } from "./conversation.ts";
import { CopyIcon } from "./copy-icon.tsx";
import { HumanAnswer } from "./human-answer.tsx";
import { RunLink } from "./run-link.tsx";
import { SourceDocuments } from "./source-documents.tsx";
import { ToolCalls } from "./tool-calls.tsx";
import { Working } from "./working.tsx";

const Markdown = lazy(() => import("./markdown.tsx").then(({ Markdown }) => ({ default: Markdown })));

type Props = { turn: Turn; session: ChatSession; isBusy: boolean };

/** What the agent said: its calls, its words, what it asks, and how it ended. */
export function AnswerView({ turn: { key, answer }, session, isBusy }: Props) {
  const { state, text, toolCalls, documents, warnings, executionId } = answer;
  const isWriting = isGoingOn(answer);
  return (
    <article className={classes.answer} data-state={state.type} aria-label={chatStrings.agent}>
      <ToolCalls calls={toolCalls} executionId={executionId} isGoingOn={isWriting} />
      {text !== "" && (
        <Suspense fallback={<div className={classes.plain}>{text}</div>}>
          <div data-testid="answer-text">
            <Markdown text={text} isGrowing={isWriting} />
          </div>
        </Suspense>
      )}
      <Working answer={answer} />
      <SourceDocuments documents={documents} />
      {warnings.map((warning) => (
        <Text key={warning} size="xs" c="dimmed" mt="xs">
          {warning}
        </Text>
      ))}
      {state.type === "stopped" && (
        <Text size="sm" c="dimmed" fs="italic" mt={text === "" ? 0 : "xs"}>
          {chatStrings.stopped}
        </Text>
      )}
      {(state.type === "failed" || state.type === "lost") && (
        <AnswerFailure answer={answer} state={state} isDisabled={isBusy} onRetry={() => void session.retry(key)} />
      )}
      {state.type === "waiting" && (
        <HumanAnswer
          key={state.action.id}
          action={state.action}
          isDisabled={isBusy}
          onAnswer={(given) => void session.answer(state.action, given)}
        />
      )}
      {!isWriting && <AnswerActions turn={{ key, answer }} session={session} />}
    </article>
  );
}

function AnswerActions({
  turn: { key, answer },
  session,
}: {
  turn: Pick<Turn, "key" | "answer">;
  session: ChatSession;
}) {
  const [isCommenting, setCommenting] = useState(false);
  const { text, messageId, executionId, rating, state } = answer;
  const rate = (given: Parameters<ChatSession["rate"]>[1]) => session.rate(key, given);
  const isAnswer = state.type === "finished" || state.type === "waiting";
  return (
    <>
      <div className={classes.actions}>
        {text !== "" && <CopyIcon text={text} label={chatStrings.copyAnswer} />}
        {isAnswer && messageId !== undefined && (
          <FeedbackThumbs rating={rating} onRate={rate} onRated={() => setCommenting(true)} />
        )}
        {executionId !== undefined && state.type !== "failed" && <RunLink executionId={executionId} />}
      </div>
      {isCommenting && rating !== undefined && (
        <FeedbackComment rating={rating} onRate={rate} onDone={() => setCommenting(false)} />
      )}
    </>
  );
}
