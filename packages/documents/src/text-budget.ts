import { Unreadable } from "./unreadable.ts";

/** Counts the text of a document, over all sections, before it is processed further. */
export type TextBudget = {
  /** Throws for bytes that hold too much text in any encoding, before they are decoded. */
  expect(bytes: Uint8Array): void;
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
      if (bytes.length > limit && leastCharacters(bytes) > limit) spend(Number.POSITIVE_INFINITY);
    },
    take(text) {
      spend(text.length);
      return text;
    },
  };
}

/** The least UTF-16 units that bytes may stand for. */
function leastCharacters(bytes: Uint8Array): number {
  let ascii = 0;
  for (const byte of bytes) if (byte !== 0 && byte < 0x80) ascii += 1;
  // UTF-8 takes three bytes for one unit at most; in it ASCII stands for itself, elsewhere two such bytes may be one unit.
  return Math.max(bytes.length / 3, ascii / 2);
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
