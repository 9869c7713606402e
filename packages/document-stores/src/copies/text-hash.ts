import { createHash } from "node:crypto";

export type TextHash = {
  /** Adds a text; where two meet counts as white space. The event loop turns while a long one is read. */
  add(text: string, pause: () => Promise<unknown>): Promise<void>;
  /** Hexadecimal SHA-256 of all texts; undefined where they are nothing but white space. Called once, at the end. */
  digest(): string | undefined;
};

/** So much of a text is read at a time. */
const charactersAtOnce = 65_536;

/** Hashes texts that come one after the other: equal words, however they are spaced, are an equal hash. */
export function createTextHash(): TextHash {
  const hash = createHash("sha256");
  let isEmpty = true;
  let isApart = false;

  function addPiece(piece: string): void {
    const words = piece.replaceAll(/\s+/g, " ");
    const text = words.trim();
    if (words.startsWith(" ")) isApart = true;
    if (text === "") return;
    // By code units, so that a character may lie on both sides of a cut.
    hash.update(isApart && !isEmpty ? ` ${text}` : text, "utf16le");
    isEmpty = false;
    isApart = words.endsWith(" ");
  }

  return {
    async add(text, pause) {
      isApart = true;
      for (let start = 0; start < text.length; start += charactersAtOnce) {
        addPiece(text.slice(start, start + charactersAtOnce));
        await pause();
      }
    },
    digest: () => (isEmpty ? undefined : hash.digest("hex")),
  };
}
