import { tooLong, Unreadable } from "./unreadable.ts";

/** Counts the text of a document, over all sections, before it is processed further. */
export type TextBudget = {
  /** Counts the text and returns it. Throws if there is too much. */
  take(text: string): string;
};

export function createTextBudget(limit: number): TextBudget {
  let used = 0;
  return {
    take(text) {
      used += text.length;
      if (used > limit) throw new Unreadable(tooLong(limit));
      return text;
    },
  };
}

/** Consecutive lines and items are adjacent; all other blocks are separated by a blank line. */
export type BlockKind = "paragraph" | "line" | "item";

export type TextBlocks = {
  /** Blank text is left out. An item's indentation stays. */
  add(kind: BlockKind, text: string): void;
  toText(): string;
};

/** Text of a document with its outline: blocks, one below the other. */
export function createTextBlocks(): TextBlocks {
  const parts: string[] = [];
  let last: BlockKind | undefined;
  return {
    add(kind, text) {
      if (text.trim() === "") return;
      if (last !== undefined) parts.push(kind === last && kind !== "paragraph" ? "\n" : "\n\n");
      parts.push(kind === "item" ? text.trimEnd() : text.trim());
      last = kind;
    },
    toText: () => parts.join(""),
  };
}
