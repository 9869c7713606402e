import { WeftApiError } from "@weft/client";
import { errorSentence } from "../api/error-sentence.ts";
import { chatStrings } from "../strings/chat.ts";

/** Why there is no answer, in a sentence for the person at the screen. */
export type ChatFailure = {
  message: string;
  /** When the same message may succeed, in milliseconds since the epoch. Absent: at once, or nobody knows. */
  retryAtMs?: number;
};

/** `nowMs`: milliseconds since the epoch. */
export function toChatFailure(error: unknown, nowMs: number): ChatFailure {
  const message = errorSentence(error);
  if (!(error instanceof WeftApiError)) return { message };
  if (error.status !== 429 && error.status !== 503) return { message };
  return { message, retryAtMs: nowMs + (error.retryAfterSeconds ?? defaultWaitSeconds) * 1_000 };
}

const defaultWaitSeconds = 5;

export const unknownFailure: ChatFailure = { message: chatStrings.failedWithoutReason };
