export type LineHandlers = {
  line(text: string): void;
  /** Called with the beginning of a line that is longer than the limit; its rest is skipped. */
  tooLong(text: string): void;
};

/** Takes pieces of text and gives whole lines, without their ends. `maxCharacters` is the most that a line may have. */
export function splitLines(maxCharacters: number, { line, tooLong }: LineHandlers): (piece: string) => void {
  let begun = "";
  let isSkipping = false;

  function end(rest: string): void {
    if (!isSkipping) line((begun + rest).replace(/\r$/, ""));
    isSkipping = false;
    begun = "";
  }

  return (piece) => {
    const parts = piece.split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) end(part);
    begun = isSkipping ? "" : begun + last;
    if (begun.length <= maxCharacters) return;
    tooLong(begun);
    isSkipping = true;
    begun = "";
  };
}
