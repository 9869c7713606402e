import type { VectorCollection, VectorMatch, VectorSearch } from "@weft/engine/ports/vector-store";
import { type VectorQuery, WeftError } from "@weft/schema";
import { findLiveChunks } from "../state/chunk.store.ts";
import { changeLoaders, listLoaderStates } from "../state/loader.store.ts";
import { findCollection, findLeftBehind, listCollections } from "../state/record.store.ts";
import type { StoreContext } from "../store-context.ts";
import { collectionName, readChoice } from "../stores/store-backend.ts";
import type { DocumentCollectionRow, DocumentStoreRow } from "../tables.ts";

/** `meaning`: the text to embed, if not the question's. */
export type StoreQuestion = { text: string; meaning?: string | undefined };

type Search = Pick<VectorQuery, "filter" | "includeOrphans"> & {
  questions: readonly StoreQuestion[];
  topK: number;
  mode: VectorSearch["mode"] | undefined;
  signal: AbortSignal;
};

const defaultTopK = 4;

/** Default number of passages that the store returns. */
export function topKOf(store: DocumentStoreRow): number {
  return Number(readChoice(store.vectorStoreConfig).config.topK) || defaultTopK;
}

/**
 * Finds existing passages, although vectors of deleted ones may still be in the database; a list per question. Rejects
 * with `embedding-mismatch` if the store's settings name another model than its vectors', and with errors of the model
 * or the database.
 */
export async function searchStore(
  context: StoreContext,
  store: DocumentStoreRow,
  { questions, topK, mode = "hybrid", filter, includeOrphans, signal }: Search,
): Promise<LiveMatch[][]> {
  const { backend, database } = context;
  const model = await backend.embedder(store);
  const known = await findCollection(database.read, collectionName(store, model.id));
  if (known === undefined) {
    await assertNotWrittenElsewhere(context, store, model.id);
    return [];
  }
  const leftBehind = await findLeftBehind(database.read, known);
  if (leftBehind !== undefined) throw otherSettings(store, leftBehind, model.id);
  const texts = questions.map(({ text, meaning }) => meaning ?? text);
  const vectors = await backend.embed(model, { texts, purpose: "query", signal });
  const other = vectors.find(({ length }) => length !== known.dimension);
  if (other !== undefined) {
    await outdate(context, store.id);
    throw otherLength(store, known.dimension, other.length);
  }
  const collection = await backend.open(store, known);
  const searched = includeOrphans ? searchAll : searchLive;
  return Promise.all(
    questions.map(({ text }, index) => {
      const vector = vectors[index];
      if (vector === undefined) throw new Error("The embedding model answered too few vectors.");
      const search = { vector, text, topK, mode, filter: filter ?? undefined, signal };
      return searched(collection, search, (ids) => findLiveChunks(database.read, store.id, ids));
    }),
  );
}

/** Nothing was written with these settings: either it was with others, or there is nothing to find yet. */
async function assertNotWrittenElsewhere(
  context: StoreContext,
  store: DocumentStoreRow,
  embedderId: string,
): Promise<void> {
  const { read } = context.database;
  const [other] = await listCollections(read, store.id);
  if (other === undefined) return;
  const loaders = await listLoaderStates(read, store.id);
  if (!loaders.some(({ chunkSet }) => chunkSet !== "")) return;
  await outdate(context, store.id);
  throw otherSettings(store, other, embedderId);
}

/** Loaders whose vectors are no longer usable. */
function outdate({ database }: StoreContext, storeId: string): Promise<void> {
  return changeLoaders(database, storeId, { event: "changed" });
}

/** The collection belongs to another model, or to the same one in another vector database. */
function otherSettings(
  store: DocumentStoreRow,
  { embedderId: stored }: DocumentCollectionRow,
  given: string,
): WeftError {
  if (stored !== given) return otherVectors(store, stored, given);
  return otherVectors(store, "another vector database", "the one of its settings");
}

function otherVectors({ id, name }: DocumentStoreRow, stored: string, given: string): WeftError {
  const message = `The vectors of the document store "${name}" (${id}) come from ${stored}, but its settings specify ${given}: they cannot be compared. Upsert it again (POST /api/v1/document-store/refresh/${id}), or restore the earlier settings.`;
  return new WeftError("embedding-mismatch", { message });
}

function otherLength({ id, name }: DocumentStoreRow, stored: number, given: number): WeftError {
  const message = `The vectors of the document store "${name}" (${id}) have ${stored} dimensions, but its embedding model now returns ${given}: they cannot be compared. Delete them (DELETE /api/v1/document-store/vectorstore/${id}) and upsert it again.`;
  return new WeftError("embedding-mismatch", { message });
}

/** A match and the number of its chunk; undefined if the chunk no longer exists. */
export type LiveMatch = VectorMatch & { chunkNo: number | undefined };

/** Chunks of these ids that exist, with their numbers. */
type FindLive = (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** Factor by which a search widens when it found deleted passages. */
const widening = 4;
/** Limits the search behind this many nearer vectors of deleted passages, so that it ends in reasonable time. */
const farthest = 5_000;

/**
 * Searches a collection, in any vector database, for existing passages. Vectors of deleted ones may stay in it, so a
 * search that met some of them continues until it has the requested number of passages, or has seen them all.
 */
async function searchLive(
  collection: VectorCollection,
  search: VectorSearch,
  findLive: FindLive,
): Promise<LiveMatch[]> {
  for (let topK = search.topK; ; topK = Math.min(topK * widening, farthest)) {
    const matches = await collection.search({ ...search, topK });
    const live = (await numbered(matches, findLive)).filter(({ chunkNo }) => chunkNo !== undefined);
    if (live.length >= search.topK || matches.length < topK || topK >= farthest) return live.slice(0, search.topK);
  }
}

/** As `searchLive`, including deleted passages. */
async function searchAll(collection: VectorCollection, search: VectorSearch, findLive: FindLive): Promise<LiveMatch[]> {
  return numbered(await collection.search(search), findLive);
}

async function numbered(matches: readonly VectorMatch[], findLive: FindLive): Promise<LiveMatch[]> {
  const numbers = await findLive(matches.map(({ id }) => id));
  return matches.map((match) => ({ ...match, chunkNo: numbers.get(match.id) }));
}
