import type { Json } from "@weft/schema";
import type { Chunk, Hash } from "../chunk.ts";

/** Two chunks of equal hashes are the same; the order of keys in their metadata makes no difference. */
export type ChunkHashes = { contentHash: string; metadataHash: string };

export function hashChunk({ text, metadata }: Chunk, hash: Hash): ChunkHashes {
  return { contentHash: hash(text), metadataHash: hash(toStableText(metadata)) };
}

/** JSON text with the keys of every object in order. */
function toStableText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toStableText).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${toStableText(item)}`).join(",")}}`;
}
