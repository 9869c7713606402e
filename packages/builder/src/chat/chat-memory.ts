import type { Question } from "./conversation.ts";

/** A run whose answer was being written. `after`: the frame that its stream follows; absent: from its start. */
export type RunningNote = { question: Question; executionId?: string; after?: string };

/** The state of an agent's chat that a tab keeps, so that it survives a reload. */
export type ChatNote = { chatId: string; running?: RunningNote };

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
