import {
  type Answer,
  type Conversation,
  emptyAnswer,
  isGoingOn,
  type Question,
  type Turn,
  withAnswer,
} from "./conversation.ts";

export type ChatView = {
  conversation: Conversation;
  /** `failed`: the stored chat could not be read. */
  loading: { type: "loading" } | { type: "ready" } | { type: "failed"; error: unknown };
};

export type ChatStoreDeps = {
  newId(): string;
  /** Calls back soon, once for all changes up to then. */
  schedule(notify: () => void): void;
};

/** View state of the open chat, with a signal that aborts when the chat is closed. */
export type ChatStore = {
  view(): ChatView;
  subscribe(listener: () => void): () => void;
  show(change: Partial<ChatView>): void;
  turnOf(key: string): Turn | undefined;
  /** Adds a question without an answer. Returns the turn's key. */
  addTurn(question: Question): string;
  changeAnswer(key: string, update: (answer: Answer) => Answer): void;
  /** Leaves the open chat for another, which is empty. */
  enter(chatId: string): void;
  /** Aborted when the chat is left, or reading is to stop. */
  signal(): AbortSignal;
  stopReading(): void;
};

export function createChatStore({ newId, schedule }: ChatStoreDeps): ChatStore {
  const listeners = new Set<() => void>();
  let reading = new AbortController();
  let isScheduled = false;
  let view: ChatView = { conversation: { chatId: newId(), turns: [] }, loading: { type: "ready" } };

  function show(change: Partial<ChatView>): void {
    view = { ...view, ...change };
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      for (const listener of listeners) listener();
    });
  }

  function stopReading(): void {
    reading.abort();
    reading = new AbortController();
  }

  return {
    view: () => view,
    show,
    stopReading,
    signal: () => reading.signal,
    turnOf: (key) => view.conversation.turns.find((turn) => turn.key === key),
    changeAnswer: (key, update) => show({ conversation: withAnswer(view.conversation, key, update) }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    addTurn(question) {
      const key = newId();
      const { chatId, turns } = view.conversation;
      show({ conversation: { chatId, turns: [...turns, { key, question, answer: emptyAnswer }] } });
      return key;
    },
    enter(chatId) {
      stopReading();
      show({ conversation: { chatId, turns: [] }, loading: { type: "ready" } });
    },
  };
}

/** Whether a message can be sent now. */
export function isReady({ conversation, loading }: ChatView): boolean {
  return loading.type !== "loading" && !conversation.turns.some(({ answer }) => isGoingOn(answer));
}
