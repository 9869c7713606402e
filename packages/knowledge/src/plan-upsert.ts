import type { Json } from "@weft/schema";
import type { Chunk, Hash } from "./chunk.ts";

/**
 * Chunks removed after a run: none; those that the loader's sources no longer contain, including missing sources; or
 * all of the loader's that the run did not see again. Never anything of another loader.
 */
export type Cleanup = "none" | "incremental" | "full";

/** The record of a chunk written to a vector store, under its id there. */
export type ChunkRecord = { id: string; source: string; metadataHash: string };

/** A chunk and the source of its text. */
export type SourceChunk = { source: string; chunk: Chunk };

export type UpsertStep =
  /** `add`: a new text. `update`: a known text with other metadata. `skip`: unchanged, or a repetition in this run. */
  | { type: "add" | "update" | "skip"; record: ChunkRecord; chunk: Chunk }
  /** A record whose vector is to be removed. These come last, so that a run cut short leaves too much, not too little. */
  | { type: "delete"; id: string };

export type UpsertRequest = {
  /** The loader's id: a part of every record's id. */
  loader: string;
  chunks: AsyncIterable<SourceChunk> | Iterable<SourceChunk>;
  /** Of this loader. */
  records: Iterable<ChunkRecord>;
  cleanup: Cleanup;
  hash: Hash;
  /** Sources that could not be read this time keep their records. Looked at after the last chunk. */
  failedSources?: ReadonlySet<string>;
  /**
   * Asked after the last chunk: whether sources may have been missed, as when a list of pages could not be read. Then
   * `incremental` keeps the records of sources that the run did not see.
   */
  mayMissSources?: () => boolean;
  /** Writes unchanged chunks again, for another embedder: as updates. */
  forceUpdate?: boolean;
};

/**
 * Says of every chunk what to do, one at a time, and what to remove at the end. A record's id is a uuid made of the
 * loader, the source, the text and how often that text stood there before: the same run makes the same ids, so that
 * one that was cut short is repeated without harm. Memory grows with the records, not with the texts.
 */
export async function* planUpsert(request: UpsertRequest): AsyncGenerator<UpsertStep> {
  const { loader, hash, forceUpdate = false } = request;
  const records = new Map([...request.records].map((record) => [record.id, record]));
  const seen = createSeenChunks();
  for await (const { source, chunk } of request.chunks) {
    const { contentHash, metadataHash } = hashChunk(chunk, hash);
    const place = seen.add(source, contentHash, metadataHash);
    const id = toUuid(hash(JSON.stringify([loader, source, contentHash, place.ordinal])));
    const record = { id, source, metadataHash };
    const known = records.get(id);
    if (place.isRepetition) yield { type: "skip", record, chunk };
    else if (known === undefined) yield { type: "add", record, chunk };
    else yield { type: forceUpdate || known.metadataHash !== metadataHash ? "update" : "skip", record, chunk };
    seen.ids.add(id);
  }
  for (const record of records.values()) {
    if (!seen.ids.has(record.id) && isOutdated(record, request, seen.sources)) yield { type: "delete", id: record.id };
  }
}

function createSeenChunks() {
  const sources = new Set<string>();
  const ids = new Set<string>();
  /** By source and text: the earlier metadata, and its position. */
  const places = new Map<string, Map<string, number>>();
  return {
    sources,
    ids,
    add(source: string, contentHash: string, metadataHash: string): { ordinal: number; isRepetition: boolean } {
      sources.add(source);
      const key = JSON.stringify([source, contentHash]);
      const before = places.get(key) ?? new Map<string, number>();
      const ordinal = before.get(metadataHash);
      if (ordinal !== undefined) return { ordinal, isRepetition: true };
      places.set(key, before.set(metadataHash, before.size));
      return { ordinal: before.size - 1, isRepetition: false };
    },
  };
}

function isOutdated({ source }: ChunkRecord, request: UpsertRequest, seenSources: ReadonlySet<string>): boolean {
  if (request.cleanup === "none" || request.failedSources?.has(source)) return false;
  if (request.cleanup === "full" || seenSources.has(source)) return true;
  return !request.mayMissSources?.();
}

/** The first 128 bits of a hash as a uuid of version 8 (RFC 9562, 5.8). */
function toUuid(hex: string): string {
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join("-");
}

/** Chunks with equal hashes are equal; the order of keys in their metadata is irrelevant. */
type ChunkHashes = { contentHash: string; metadataHash: string };

export function hashChunk({ text, metadata }: Chunk, hash: Hash): ChunkHashes {
  return { contentHash: hash(text), metadataHash: hash(toStableText(metadata)) };
}

/** JSON text with sorted keys. */
function toStableText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toStableText).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${toStableText(item)}`).join(",")}}`;
}
