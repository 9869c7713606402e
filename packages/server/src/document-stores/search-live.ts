import type { VectorCollection, VectorMatch, VectorSearch } from "@weft/engine";

/** A match and the number of its chunk; undefined if the chunk no longer exists. */
export type LiveMatch = VectorMatch & { chunkNo: number | undefined };

/** Chunks of these ids that exist, with their numbers. */
export type FindLive = (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** How much farther a search looks when what it found was deleted. */
const widening = 4;
/** Behind this many nearer vectors of deleted passages nothing is looked for: a search ends in reasonable time. */
const farthest = 5_000;

/**
 * Searches a collection, in any vector database, for passages that exist. Vectors of deleted ones may stay in it, so
 * a search that met some of them looks on until it has as many passages as asked for, or has seen them all.
 */
export async function searchLive(
  collection: Pick<VectorCollection, "search">,
  search: VectorSearch,
  findLive: FindLive,
): Promise<LiveMatch[]> {
  for (let topK = search.topK; ; topK = Math.min(topK * widening, farthest)) {
    const matches = await collection.search({ ...search, topK });
    const live = (await numbered(matches, findLive)).filter(({ chunkNo }) => chunkNo !== undefined);
    if (live.length >= search.topK || matches.length < topK || topK >= farthest) return live.slice(0, search.topK);
  }
}

/** As `searchLive`, with passages that were deleted among them. */
export async function searchAll(
  collection: Pick<VectorCollection, "search">,
  search: VectorSearch,
  findLive: FindLive,
): Promise<LiveMatch[]> {
  return numbered(await collection.search(search), findLive);
}

async function numbered(matches: readonly VectorMatch[], findLive: FindLive): Promise<LiveMatch[]> {
  const numbers = await findLive(matches.map(({ id }) => id));
  return matches.map((match) => ({ ...match, chunkNo: numbers.get(match.id) }));
}
