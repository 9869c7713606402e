/** Returns the vectors of windows, in order. Stops between two batches if the signal aborts. */
export type EmbedWindows = (windows: readonly string[], signal: AbortSignal) => Promise<ArrayLike<number>[]>;

/** Neither model accepts a text without a token. */
export const toWindowText = (text: string): string => (text === "" ? " " : text);
