import type { JsonObject } from "@weft/schema";

/** A part of a text that is embedded and found as one. `metadata` is the text's own and where the part stood in it. */
export type Chunk = { text: string; metadata: JsonObject };

/**
 * Cuts a text into chunks, in order and one at a time, so that a long text is never held twice. Yields `undefined` where
 * the caller may pause before the first chunk is known.
 */
export type SplitText = (text: string, metadata: JsonObject) => Iterable<Chunk | undefined>;

/** What a text weighs that is hashed: hex SHA-256 of its UTF-8. Given by the caller, since this package is pure. */
export type Hash = (text: string) => string;
