import { Unreadable } from "./unreadable.ts";

/** Counts the text that is gathered from a document, over all its sections, before anything is made of it. */
export type TextBudget = {
  /** Counts the text and gives it back. Throws when there is too much. */
  take(text: string): string;
};

export function createTextBudget(limit: number): TextBudget {
  let used = 0;
  return {
    take(text) {
      used += text.length;
      if (used > limit) throw new Unreadable(`its text is longer than ${limit} characters; split it`);
      return text;
    },
  };
}
