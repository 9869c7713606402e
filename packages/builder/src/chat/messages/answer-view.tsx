import { Alert, Group, Text, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Link } from "@tanstack/react-router";
import { type AnswerState, isUnderWay } from "@weft/conversation";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { CircleAlert, ThumbsDown, ThumbsUp, Unplug } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { AddAnswerQuestion } from "../../questions/add-answer-question.tsx";
import { chatStrings } from "../../strings.ts";
import { CopyIcon } from "../../ui/content/code-block.tsx";
import { Action, IconAction } from "../../ui/controls/actions.tsx";
import { notifyFailed } from "../../ui/page/notices.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import type { ChatSession } from "../session/chat-session.ts";
import type { Answer, Rating, Turn } from "../session/conversation.ts";
import { SourceDocuments, ToolCalls } from "./answer-evidence.tsx";
import classes from "./answer-view.module.css";
import { toCitations } from "./citation.tsx";
import { HumanAnswer } from "./human-answer.tsx";

const Markdown = lazy(() => import("../../ui/content/markdown.tsx").then(({ Markdown }) => ({ default: Markdown })));

type Props = { turn: Turn; session: ChatSession; isBusy: boolean };

/** An agent's answer: its tool calls, its text, its questions, and how it ended. */
export function AnswerView({ turn, session, isBusy }: Props) {
  const { key, answer } = turn;
  const { state, text, toolCalls, sources, warnings, executionId } = answer;
  const isWriting = isUnderWay(answer);
  const citations = useMemo(() => toCitations(sources), [sources]);
  return (
    <article className={classes.answer} data-state={state.type} aria-label={chatStrings.agent}>
      <ToolCalls calls={toolCalls} executionId={executionId} isGoingOn={isWriting} />
      {text !== "" && (
        <Suspense fallback={<div className={classes.plain}>{text}</div>}>
          <div data-testid="answer-text">
            <Markdown text={text} isGrowing={isWriting} citations={citations} />
          </div>
        </Suspense>
      )}
      <Working answer={answer} />
      <SourceDocuments documents={sources} />
      {warnings.map((warning) => (
        <Hint key={warning} size="xs" mt="xs">
          {warning}
        </Hint>
      ))}
      {state.type === "stopped" && (
        <Hint fs="italic" mt={text === "" ? 0 : "xs"}>
          {chatStrings.stopped}
        </Hint>
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
      {!isWriting && <AnswerActions turn={turn} session={session} />}
    </article>
  );
}

function AnswerActions({ turn: { key, question, answer }, session }: { turn: Turn; session: ChatSession }) {
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
        <AddAnswerQuestion question={question.text} documents={answer.sources} />
        {executionId !== undefined && state.type !== "failed" && <RunLink executionId={executionId} />}
      </div>
      {isCommenting && rating !== undefined && (
        <FeedbackComment rating={rating} onRate={rate} onDone={() => setCommenting(false)} />
      )}
    </>
  );
}

type FailedState = Extract<AnswerState, { type: "failed" | "lost" }>;
type AnswerFailureProps = { answer: Answer; state: FailedState; isDisabled: boolean; onRetry: () => void };

/** Why the answer is missing or incomplete, and the remedy. */
function AnswerFailure({ answer, state, isDisabled, onRetry }: AnswerFailureProps) {
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
        {state.failure.message || chatStrings.failedWithoutReason}
      </Text>
      <Group mt="sm" gap="sm">
        <Action
          label={secondsLeft > 0 ? chatStrings.tryAgainIn({ seconds: secondsLeft }) : retryLabel(answer)}
          size="xs"
          disabled={isDisabled || secondsLeft > 0}
          onClick={onRetry}
        />
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

type Rate = (rating: Rating) => Promise<void>;

/** Thumbs up and down. `onRated`: called once the rating is stored, and can be explained. */
function FeedbackThumbs({
  rating,
  onRate,
  onRated,
}: {
  rating: Rating | undefined;
  onRate: Rate;
  onRated: () => void;
}) {
  async function rate(value: Rating["rating"]) {
    try {
      await onRate({ rating: value, content: rating?.content ?? "" });
      onRated();
    } catch (error) {
      notifyFailed(error);
    }
  }
  const thumb = (value: Rating["rating"], label: string, Icon: typeof ThumbsUp) => (
    <IconAction
      icon={Icon}
      label={label}
      tip
      onClick={() => void rate(value)}
      size={22}
      isOn={rating?.rating === value}
    />
  );
  return (
    <>
      {thumb("THUMBS_UP", chatStrings.goodAnswer, ThumbsUp)}
      {thumb("THUMBS_DOWN", chatStrings.badAnswer, ThumbsDown)}
    </>
  );
}

/** A comment on why an answer was good or bad. */
function FeedbackComment({ rating, onRate, onDone }: { rating: Rating; onRate: Rate; onDone: () => void }) {
  const [content, setContent] = useState(rating.content);
  const [isSaving, setSaving] = useState(false);
  async function save() {
    setSaving(true);
    try {
      await onRate({ ...rating, content: content.trim() });
      notifications.show({ message: chatStrings.feedbackThanks });
      onDone();
    } catch (error) {
      notifyFailed(error);
    } finally {
      setSaving(false);
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Textarea
        mt="xs"
        aria-label={chatStrings.feedbackComment}
        placeholder={chatStrings.feedbackComment}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={20_000}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={(event) => event.stopPropagation()}
      />
      <Action label={chatStrings.feedbackSave} type="submit" size="xs" mt="xs" loading={isSaving} />
    </form>
  );
}

function RunLink({ executionId }: { executionId: string }) {
  return (
    <Link to="/executions/$executionId" params={{ executionId }} className={classes.link}>
      {chatStrings.viewRun}
    </Link>
  );
}

/** Shows that an answer is streaming, and which nodes are writing it. */
function Working({ answer: { state } }: { answer: Answer }) {
  if (state.type !== "sending" && state.type !== "writing") return null;
  const labels = state.type === "writing" ? Object.values(state.steps) : [];
  return (
    <div className={classes.working}>
      <span className={classes.dots} aria-hidden>
        <span />
        <span />
        <span />
      </span>
      {labels.length === 0 ? chatStrings.thinking : formatList(labels)}
    </div>
  );
}
