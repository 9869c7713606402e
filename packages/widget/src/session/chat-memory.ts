import { type AnswerState, emptyAnswer } from "@weft/conversation";
import type { Turn } from "./conversation.ts";

/** The browser's stored state of an agent's chat. */
export type ChatNote = {
  chatId: string;
  turns: readonly Turn[];
  /** Text typed but not sent. */
  draft: string;
  /** Whether contact details were left, or declined. */
  hasLead: boolean;
  /** The request of the message that is under way, to repeat it. Absent where files make it too large to keep. */
  request?: object;
};

export type ChatMemory = {
  /** Undefined if nothing readable was kept. */
  read(): ChatNote | undefined;
  /** A browser without storage causes no error: a reload then starts a new chat. */
  write(note: ChatNote): void;
};

/** Turns that are kept: what is older stays on the server. */
const keptTurns = 100;

type Place = { storage: () => Pick<Storage, "getItem" | "setItem">; apiHost: string; agentId: string };

export function createChatMemory({ storage, apiHost, agentId }: Place): ChatMemory {
  const key = `weft.widget.${apiHost}.${agentId}`;
  return {
    read() {
      try {
        const note: unknown = JSON.parse(storage().getItem(key) ?? "null");
        return isNote(note) ? { ...note, turns: note.turns.map(toTurn) } : undefined;
      } catch {
        return undefined;
      }
    },
    write(note) {
      const { turns, ...rest } = note;
      const kept = { ...rest, turns: turns.slice(-keptTurns) };
      const short = { ...kept, turns: kept.turns.map(withoutSources) };
      const { request: _, ...shortest } = short;
      for (const attempt of [kept, short, shortest]) {
        try {
          return storage().setItem(key, JSON.stringify(attempt));
        } catch {
          // No storage at all, or too much for it: then less is kept.
        }
      }
    },
  };
}

function withoutSources({ answer, ...turn }: Turn): Turn {
  return { ...turn, answer: { ...answer, sources: [] } };
}

/** A turn as an earlier version of this page may have kept it. */
function toTurn({ answer, ...turn }: Turn): Turn {
  return { ...turn, answer: { ...emptyAnswer, ...answer, state: toState(answer.state) } };
}

function toState(state: AnswerState & { message?: string; isLost?: boolean }): AnswerState {
  if (state.type === "writing") return { type: "writing", steps: state.steps ?? {} };
  if (state.type !== "failed" || state.failure !== undefined) return state;
  return { type: state.isLost ? "lost" : "failed", failure: { message: state.message ?? "" } };
}

function isNote(note: unknown): note is ChatNote {
  if (typeof note !== "object" || note === null) return false;
  const { chatId, turns, draft } = note as Partial<ChatNote>;
  return typeof chatId === "string" && typeof draft === "string" && Array.isArray(turns) && turns.every(isTurn);
}

function isTurn(turn: unknown): boolean {
  const { key, question, answer } = (turn ?? {}) as Partial<Turn>;
  return typeof key === "string" && typeof question === "string" && typeof answer?.state?.type === "string";
}
