import { Unreadable } from "./unreadable.ts";

/** Counts the text that is gathered from a document, over all its sections, before anything is made of it. */
export type TextBudget = {
  /** Throws for so many bytes that their text is too long in any encoding: before it is decoded. */
  expect(bytes: number): void;
  /** Counts the text and gives it back. Throws when there is too much. */
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

/** For each unit of a string, in UTF-8; other encodings take fewer. */
const maxBytesOfCharacter = 3;

/** A line and an item of a list follow their like directly; else a blank line stands between. */
export type BlockKind = "paragraph" | "line" | "item";

export type TextBlocks = {
  /** Blank text is left out. What an item is set in by stays. */
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
