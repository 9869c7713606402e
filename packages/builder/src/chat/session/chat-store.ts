import { emptyAnswer, isUnderWay } from "@weft/conversation";
import { type Answer, type Conversation, type Question, type Turn, withAnswer } from "./conversation.ts";

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
  /** Aborted when the chat is left, or reading must stop. */
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
  return loading.type !== "loading" && !conversation.turns.some(({ answer }) => isUnderWay(answer));
}

/** A run whose answer was being written. `after`: the frame that its stream follows; absent: from its start. */
export type RunningNote = { question: Question; executionId?: string; after?: string };

/** The state of an agent's chat that a tab keeps, so that it survives a reload. */
type ChatNote = { chatId: string; running?: RunningNote };

export type ChatMemory = {
  /** Undefined if nothing readable was kept. */
  read(): ChatNote | undefined;
  /** A browser without storage must not cause an error: a reload then starts a new chat. */
  write(note: ChatNote): void;
};

export function createChatMemory(storage: Pick<Storage, "getItem" | "setItem">, agentId: string): ChatMemory {
  const key = `weft.chat.${agentId}`;
  return {
    read() {
      try {
        const note: unknown = JSON.parse(storage.getItem(key) ?? "null");
        return isNote(note) ? note : undefined;
      } catch {
        return undefined;
      }
    },
    write({ chatId, running }) {
      try {
        storage.setItem(key, JSON.stringify({ chatId, ...(running && { running: withoutPreviews(running) }) }));
      } catch {}
    },
  };
}

function isNote(note: unknown): note is ChatNote {
  return typeof note === "object" && note !== null && "chatId" in note && typeof note.chatId === "string";
}

/** Images are too large to keep; the server has them. */
function withoutPreviews({ question, ...running }: RunningNote): RunningNote {
  const attachments = question.attachments.map(({ name, mime }) => ({ name, mime }));
  return { ...running, question: { ...question, attachments } };
}
