import type { Question } from "./conversation.ts";

/** A run whose answer was being written. `after`: the frame that its stream follows; absent: from its start. */
export type RunningNote = { question: Question; executionId?: string; after?: string };

/** What a tab keeps of an agent's chat, so that a reload finds it again. */
export type ChatNote = { chatId: string; running?: RunningNote };

export type ChatMemory = {
  /** Undefined when nothing was kept, or nothing that can be read. */
  read(): ChatNote | undefined;
  /** A browser that keeps nothing is no reason to fail: then a reload begins a new chat. */
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

/** Pictures are too large to keep; the server has them. */
function withoutPreviews({ question, ...running }: RunningNote): RunningNote {
  const attachments = question.attachments.map(({ name, mime }) => ({ name, mime }));
  return { ...running, question: { ...question, attachments } };
}
