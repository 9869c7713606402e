/** A line, an item of a list and a row of a table follow their like directly; else a blank line stands between. */
export type BlockKind = "paragraph" | "line" | "item" | "row";

export type TextBlocks = {
  /** Blank text is left out. */
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
      parts.push(kind === "row" ? text : text.trim());
      last = kind;
    },
    toText: () => parts.join(""),
  };
}
