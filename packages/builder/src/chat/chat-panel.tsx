import { Skeleton, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ChatConfig } from "@weft/client";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { client } from "../api/client.ts";
import { MessagesSquare } from "../icons/icons.gen.ts";
import { chatStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { useFileDrop } from "../ui/controls/use-file-drop.ts";
import { ErrorNotice, notifyFailed } from "../ui/page/notices.tsx";
import { chatConfigQuery } from "./chat-config.ts";
import { ChatHeader } from "./chat-header.tsx";
import classes from "./chat-panel.module.css";
import { useAttachments } from "./composer/attachments.tsx";
import { Composer } from "./composer/composer.tsx";
import { MessageList } from "./messages/message-list.tsx";
import type { OnRunState } from "./session/answer-reader.ts";
import { type ChatSession, createChatSession, type Message } from "./session/chat-session.ts";
import { type ChatView, createChatMemory, isReady } from "./session/chat-store.ts";
import { openTurn } from "./session/conversation.ts";
import { StartFormView } from "./start-form/start-form-view.tsx";

type Props = RunListener & {
  agentId: string;
  /** Whether messages go to the agent's draft. Default false. */
  isDraft?: boolean;
  /** Replaces the panel's own title. */
  heading?: ReactNode;
  /** Absent: the panel cannot be closed. */
  onClose?: () => void;
  /** Shown above the composer. */
  notice?: ReactNode;
};

/** A chat with an agent that fills the available space. Esc stops an answer. */
export function ChatPanel({ agentId, isDraft = false, heading, onClose, notice, ...listener }: Props) {
  const { session, view } = useChatSession(agentId, { ...listener, isDraft });
  const { data: config } = useQuery(chatConfigQuery(agentId, isDraft));
  const input = useRef<HTMLTextAreaElement>(null);
  const attachments = useAttachments(config?.uploads);
  const { isOver, handlers } = useFileDrop(config !== undefined && config.form === undefined, ({ files }) =>
    attachments.add([...files]),
  );
  const isBusy = !isReady(view);
  const { conversation } = view;
  const isAnswering = openTurn(conversation) !== undefined;
  const stop = () => void session.stop().catch(notifyFailed);
  const send = (message: Message) => void session.send(message);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || event.defaultPrevented || !isAnswering) return;
    event.stopPropagation();
    stop();
  }

  return (
    <section className={classes.panel} aria-label={chatStrings.title} onKeyDown={onKeyDown} {...handlers}>
      <ChatHeader
        agentId={agentId}
        chatId={conversation.chatId}
        session={session}
        isRehearsal={config?.isRehearsal === true}
        heading={heading}
        onClose={onClose}
      />
      <ChatBody agentId={agentId} session={session} view={view} isBusy={isBusy}>
        {config?.form === undefined ? (
          <Welcome config={config} onSuggest={(text) => send({ question: { text, attachments: [] } })} />
        ) : (
          <StartFormView form={config.form} isBusy={isBusy} onSend={send} />
        )}
      </ChatBody>
      <footer>
        {notice}
        {config?.form === undefined ? (
          <Composer
            attachments={attachments}
            uploads={config?.uploads}
            isBusy={isBusy}
            isWaiting={conversation.turns.at(-1)?.answer.state.type === "waiting"}
            input={input}
            onSend={send}
            onStop={stop}
          />
        ) : (
          <FormFooter
            hasBegun={conversation.turns.length > 0}
            isAnswering={isAnswering}
            onStop={stop}
            onAgain={session.newChat}
          />
        )}
      </footer>
      {isOver && <div className={classes.drop}>{chatStrings.dropHere}</div>}
    </section>
  );
}

type BodyProps = { agentId: string; session: ChatSession; view: ChatView; isBusy: boolean; children: ReactNode };

function ChatBody({ agentId, session, view: { conversation, loading }, isBusy, children }: BodyProps) {
  if (loading.type === "loading") {
    return (
      <div className={classes.loading}>
        <Skeleton height={36} width="60%" radius="lg" ml="auto" />
        <Skeleton height={96} radius="md" />
        <Skeleton height={36} width="45%" radius="lg" ml="auto" />
      </div>
    );
  }
  if (loading.type === "failed") {
    return (
      <div className={classes.loading}>
        <ErrorNotice error={loading.error} onRetry={() => void session.openChat(conversation.chatId)} />
      </div>
    );
  }
  return (
    <MessageList agentId={agentId} conversation={conversation} session={session} isBusy={isBusy} welcome={children} />
  );
}

type RunListener = {
  onRunState?: OnRunState | undefined;
  onRunStart?: (() => void) | undefined;
  /** Called before a message is sent, which waits for it. */
  beforeSend?: (() => Promise<unknown>) | undefined;
};

/** This tab's chat with the agent, restored after a reload. */
function useChatSession(
  agentId: string,
  listener: RunListener & { isDraft: boolean },
): { session: ChatSession; view: ChatView } {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  const session = useMemo(
    () =>
      createChatSession({
        client,
        agentId,
        memory: createChatMemory(sessionStorage, agentId),
        newId: () => crypto.randomUUID(),
        now: Date.now,
        schedule: (notify) => void requestAnimationFrame(notify),
        onRunState: (nodeId, state) => latest.current.onRunState?.(nodeId, state),
        onRunStart: () => latest.current.onRunStart?.(),
        async beforeSend() {
          const { beforeSend, isDraft } = latest.current;
          await beforeSend?.();
          return isDraft ? { draft: true } : {};
        },
      }),
    [agentId],
  );
  useEffect(() => {
    void session.resume();
    return session.close;
  }, [session]);
  return { session, view: useSyncExternalStore(session.subscribe, session.view) };
}

type FormFooterProps = { hasBegun: boolean; isAnswering: boolean; onStop: () => void; onAgain: () => void };

/** Below a chat that started with a form: stops its run, or fills in the form again. */
function FormFooter({ hasBegun, isAnswering, onStop, onAgain }: FormFooterProps) {
  if (!hasBegun) return null;
  return (
    <div className={classes.footer}>
      <Action label={isAnswering ? chatStrings.stop : chatStrings.formAgain} onClick={isAnswering ? onStop : onAgain} />
    </div>
  );
}

type WelcomeProps = { config: ChatConfig | undefined; onSuggest: (text: string) => void };

/** An empty chat, with the messages suggested by the agent's author. */
function Welcome({ config, onSuggest }: WelcomeProps) {
  const suggestions = Object.values(config?.starterPrompts ?? {})
    .map(({ prompt }) => prompt)
    .filter((prompt) => prompt.trim() !== "");
  return (
    <div className={classes.welcome}>
      <MessagesSquare size={28} strokeWidth={1.5} aria-hidden className={classes.icon} />
      <p className={classes.title}>{config?.title || chatStrings.welcomeTitle}</p>
      <p className={classes.text}>{config?.welcomeMessage || config?.welcomeText || chatStrings.welcomeText}</p>
      {suggestions.length > 0 && (
        <ul className={classes.suggestions} aria-label={chatStrings.suggestions}>
          {suggestions.map((text) => (
            <li key={text}>
              <UnstyledButton className={classes.suggestion} onClick={() => onSuggest(text)}>
                {text}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
