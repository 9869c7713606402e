import { createHash } from "node:crypto";

export type TextHash = {
  /** Adds a text; a boundary between two counts as white space. Yields to the event loop while reading a long one. */
  add(text: string, pause: () => Promise<unknown>): Promise<void>;
  /** Hexadecimal SHA-256 of all texts; undefined if they are only white space. Call once, at the end. */
  digest(): string | undefined;
};

const charactersAtOnce = 65_536;

/** Hashes a sequence of texts: equal words give an equal hash, however they are spaced. */
export function createTextHash(): TextHash {
  const hash = createHash("sha256");
  let isEmpty = true;
  let isApart = false;

  function addPiece(piece: string): void {
    const words = piece.replaceAll(/\s+/g, " ");
    const text = words.trim();
    if (words.startsWith(" ")) isApart = true;
    if (text === "") return;
    // By code units, so that a cut may split a character.
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
