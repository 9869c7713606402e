import { Unreadable } from "./unreadable.ts";

/** Counts the text of a document, over all sections, before it is processed further. */
export type TextBudget = {
  /** Throws for more bytes than any acceptable text in any encoding: before decoding. */
  expect(bytes: number): void;
  /** Counts the text and returns it. Throws if there is too much. */
  take(text: string): string;
};

export function createTextBudget(limit: number): TextBudget {
  let used = 0;
  const spend = (characters: number) => {
    used += characters;
    if (used > limit) throw new Unreadable(`its text is longer than ${limit} characters; split it`);
  };
  return {
    expect(bytes) {
      if (bytes > limit * maxBytesOfCharacter) spend(Number.POSITIVE_INFINITY);
    },
    take(text) {
      spend(text.length);
      return text;
    },
  };
}

/** Per UTF-16 unit, in UTF-8; other encodings take fewer. */
const maxBytesOfCharacter = 3;

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
