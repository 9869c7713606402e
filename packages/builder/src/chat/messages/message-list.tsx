import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { ArrowDown } from "../../icons/icons.gen.ts";
import { chatStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { SentFiles } from "../composer/attachments.tsx";
import type { ChatSession } from "../session/chat-session.ts";
import type { Conversation, Turn } from "../session/conversation.ts";
import { AnswerView } from "./answer-view.tsx";
import classes from "./message-list.module.css";

type Props = { agentId: string; conversation: Conversation; session: ChatSession; isBusy: boolean; welcome: ReactNode };

/** The conversation. Keeps its end visible while the reader is there. */
export function MessageList({ agentId, conversation, session, isBusy, welcome }: Props) {
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { chatId, turns } = conversation;
  const { isAtEnd, scrollToEnd } = useFollowScroll(viewport, content, `${chatId} ${turns.at(-1)?.key}`);
  return (
    <div className={classes.frame}>
      <div
        ref={viewport}
        className={classes.viewport}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the panel is scrolled by keyboard, too.
        tabIndex={0}
        role="log"
        aria-label={chatStrings.conversation}
        aria-live="polite"
        aria-busy={isBusy}
      >
        <div ref={content} className={classes.content}>
          {turns.length === 0 && welcome}
          {turns.map((turn) => (
            <TurnView key={turn.key} turn={turn} agentId={agentId} chatId={chatId} session={session} isBusy={isBusy} />
          ))}
        </div>
      </div>
      {!isAtEnd && (
        <Action
          icon={ArrowDown}
          label={chatStrings.latest}
          className={classes.latest}
          size="compact-sm"
          radius="xl"
          onClick={scrollToEnd}
        />
      )}
    </div>
  );
}

type TurnProps = { turn: Turn; agentId: string; chatId: string; session: ChatSession; isBusy: boolean };

/** While one answer streams, the others do not rerender. */
const TurnView = memo(function TurnView({ turn, agentId, chatId, session, isBusy }: TurnProps) {
  const { text, attachments } = turn.question;
  return (
    <>
      {(text !== "" || attachments.length > 0) && (
        <article className={classes.question} aria-label={chatStrings.you}>
          <SentFiles files={attachments} chat={{ agentId, chatId }} />
          {text !== "" && <div className={classes.bubble}>{text}</div>}
        </article>
      )}
      <AnswerView turn={turn} session={session} isBusy={isBusy} />
    </>
  );
});

/** How far from the end, in pixels, a reader still counts as being there. */
const slackPx = 48;

/**
 * Keeps the end of a growing text in view, unless the reader has scrolled up. When `key` changes, a new text begins and
 * its end is shown.
 */
function useFollowScroll(viewport: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, key: string) {
  const follows = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);

  const scrollToEnd = useCallback(() => {
    follows.current = true;
    setAtEnd(true);
    const element = viewport.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [viewport]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins.
  useEffect(scrollToEnd, [key, scrollToEnd]);

  useEffect(() => {
    const [outer, inner] = [viewport.current, content.current];
    if (!outer || !inner) return;
    const onScroll = () => {
      const isNear = outer.scrollHeight - outer.scrollTop - outer.clientHeight <= slackPx;
      follows.current = isNear;
      setAtEnd(isNear);
    };
    const growth = new ResizeObserver(() => {
      if (follows.current) outer.scrollTop = outer.scrollHeight;
    });
    outer.addEventListener("scroll", onScroll, { passive: true });
    growth.observe(inner);
    growth.observe(outer);
    return () => {
      outer.removeEventListener("scroll", onScroll);
      growth.disconnect();
    };
  }, [viewport, content]);

  return { isAtEnd, scrollToEnd };
}
