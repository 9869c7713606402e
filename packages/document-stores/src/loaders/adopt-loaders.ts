import type { Tables } from "@weft/database";
import type { GivenLoader } from "@weft/schema";
import { toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import { adoptFiles, fileIds, type NewFile } from "../files/document-files.ts";
import { addNewChunks, countNewChunks } from "../state/chunk.store.ts";
import { findLoader, saveLoader, updateLoader } from "../state/loader.store.ts";
import type { StoreContext } from "../store-context.ts";
import { toItem } from "./given-loaders.ts";
import { loaderRowOf, type PreparedLoader, prepareLoader } from "./prepare-loader.ts";

/** A loader from another installation, with the files that it reads. */
export type AdoptedLoader = {
  id: string;
  storeId: string;
  given: GivenLoader;
  files: readonly NewFile[];
};

export type AdoptedChunk = { id: string; chunkNo: number; pageContent: string; metadata: string };

/** Imports loaders and their chunks under their ids. */
export type LoaderAdoption = {
  /** Rejects with `parameters-invalid` for an unknown loader or splitter, and writes nothing. */
  add(loader: AdoptedLoader): Promise<void>;
  /** As `add`, but only validates. */
  check(loader: AdoptedLoader): Promise<void>;
  /**
   * Adds chunks in one write and resolves with the number of new ones. Undefined if the loader does not exist, or has
   * since made chunks of its own.
   */
  addChunks(storeId: string, loaderId: string, chunks: readonly AdoptedChunk[]): Promise<number | undefined>;
  /** As `addChunks`, but writes nothing. */
  checkChunks(storeId: string, loaderId: string, chunks: readonly AdoptedChunk[]): Promise<number | undefined>;
  /** Counts the adopted chunks of a store's loaders. Resolves with the loaders that have some; none is embedded yet. */
  settle(storeId: string): Promise<{ loaderId: string; chunks: number }[]>;
};

/** The set of imported chunks. */
const adoptedSet = "adopted";
const isolation = { isolation: "read-committed" } as const;

export function createLoaderAdoption(context: StoreContext): LoaderAdoption {
  const { database, clock, files } = context;
  const { read } = database;

  function prepare({ storeId, given, files: uploads }: AdoptedLoader): Promise<PreparedLoader> {
    return prepareLoader(context, { storeId, item: toItem(given), files: uploads });
  }

  return {
    async add(loader) {
      const prepared = await prepare(loader);
      const place = { id: loader.id, storeId: loader.storeId, now: toMoment(clock.now()) };
      await files.during(prepared.files, () => database.write((tx) => insertLoader(tx, prepared, place), isolation));
    },

    async check(loader) {
      await prepare(loader);
    },

    addChunks(storeId, loaderId, chunks) {
      return database.write(async (tx) => {
        const loader = await findLoader(tx, storeId, loaderId);
        if (loader?.chunkSet !== adoptedSet) return undefined;
        const rows = chunks.map((chunk) => ({
          ...empty,
          ...chunk,
          loaderId,
          storeId,
          source: sourceOf(chunk, loader.source),
        }));
        return addNewChunks(tx, rows);
      }, isolation);
    },

    async checkChunks(storeId, loaderId, chunks) {
      const loader = await findLoader(read, storeId, loaderId);
      if (loader?.chunkSet !== adoptedSet) return undefined;
      const numbers = chunks.map(({ chunkNo }) => chunkNo);
      return countNewChunks(read, { loaderId, chunkSet: adoptedSet }, numbers);
    },

    settle(storeId) {
      return database.write(async (tx) => {
        const counted = await countAdopted(tx, storeId);
        for (const { loaderId, chunks, characters } of counted) {
          await updateLoader(tx, { id: loaderId, status: "SYNC", totalChunks: chunks, totalChars: characters });
        }
        return counted.map(({ loaderId, chunks }) => ({ loaderId, chunks }));
      }, isolation);
    },
  };
}

const empty = { chunkSet: adoptedSet, metadataHash: "", plan: "add", isAdded: 0 };

async function insertLoader(
  tx: Kysely<Tables>,
  prepared: PreparedLoader,
  { id, storeId, now }: { id: string; storeId: string; now: string },
): Promise<void> {
  const row = loaderRowOf(prepared, { id, storeId, now });
  await saveLoader(tx, { ...row, chunkSet: adoptedSet });
  await adoptFiles(tx, fileIds(prepared.loaderConfig), { storeId, loaderId: id, createdDate: now });
}

/** The document of a passage, as its metadata names it. */
function sourceOf({ metadata }: AdoptedChunk, otherwise: string): string {
  const { source }: { source?: unknown } = JSON.parse(metadata);
  return typeof source === "string" && source !== "" ? source : otherwise;
}

async function countAdopted(tx: Kysely<Tables>, storeId: string) {
  const rows = await tx
    .selectFrom("documentChunks")
    .innerJoin("documentLoaders", "documentLoaders.id", "documentChunks.loaderId")
    .select(({ fn, ref }) => [
      "documentChunks.loaderId",
      fn.countAll<number>().as("chunks"),
      fn.sum<number>(fn<number>("length", [ref("documentChunks.pageContent")])).as("characters"),
    ])
    .where("documentLoaders.storeId", "=", storeId)
    .where("documentLoaders.chunkSet", "=", adoptedSet)
    .where("documentLoaders.status", "in", ["NEW", "SYNC"])
    .where("documentChunks.chunkSet", "=", adoptedSet)
    .groupBy("documentChunks.loaderId")
    .orderBy("documentChunks.loaderId")
    .execute();
  return rows.map(({ loaderId, ...sums }) => ({
    loaderId,
    chunks: Number(sums.chunks),
    characters: Number(sums.characters),
  }));
}
