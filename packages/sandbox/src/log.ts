/** Keeps lines, given as JSON text, up to a number of bytes; then notes that the rest was dropped. */
export function createLog(limitBytes: number) {
  const lines: string[] = [];
  let sizeBytes = 0;
  return {
    lines: lines as string[],
    add(lineJson: string): void {
      if (sizeBytes > limitBytes) return;
      const line: unknown = JSON.parse(lineJson);
      if (typeof line !== "string") return;
      sizeBytes += Buffer.byteLength(line) + 1;
      lines.push(sizeBytes > limitBytes ? "(further output was dropped)" : line);
    },
  };
}
