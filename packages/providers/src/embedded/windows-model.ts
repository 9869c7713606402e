/** Gives the vectors of windows, in their order. Stops between two batches when the signal aborts. */
export type EmbedWindows = (windows: readonly string[], signal: AbortSignal) => Promise<ArrayLike<number>[]>;

/** Neither model takes a text without a token. */
export const toWindowText = (text: string): string => (text === "" ? " " : text);
