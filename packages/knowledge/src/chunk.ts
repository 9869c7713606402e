import type { JsonObject } from "@weft/schema";

/**
 * A part of a text that is embedded and found as a unit. `metadata` is the text's own and the part's position in it.
 */
export type Chunk = { text: string; metadata: JsonObject };

/**
 * Splits a text into chunks, in order and one at a time, so that a long text is never held twice. Yields `undefined`
 * where the caller may pause before the first chunk is known.
 */
export type SplitText = (text: string, metadata: JsonObject) => Iterable<Chunk | undefined>;

/** Hex SHA-256 of a text's UTF-8. Supplied by the caller, since this package is pure. */
export type Hash = (text: string) => string;
