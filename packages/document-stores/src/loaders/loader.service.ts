import { isDeepStrictEqual } from "node:util";
import type { Tables } from "@weft/database";
import { inNameOf } from "@weft/documents";
import {
  type ChunkPage,
  type ChunkUpdate,
  type JsonObject,
  type LoaderBody,
  type LoaderPreview,
  type LoaderPreviewBody,
  toMoment,
  type UpsertItem,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import { listFiles, readWhole } from "../files/document-files.ts";
import { findCopiesOf } from "../files/find-copies.ts";
import { clearFingerprint } from "../files/fingerprint.store.ts";
import { deleteChunkVector } from "../search/index.ts";
import * as chunks from "../state/chunk.store.ts";
import { getStore, lockStore, updateStore } from "../state/document-store.store.ts";
import { deleteLoader, findLoader, getLoader, nextStatus, updateLoader } from "../state/loader.store.ts";
import { assertIdle } from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import type { DocumentChunkRow, DocumentLoaderRow } from "../tables.ts";
import { type LoaderCompany, toItem, toLoaderView, toShortLoaderView } from "./given-loaders.ts";
import { prepareLoader, previewLoader, storeLoader } from "./prepare-loader.ts";

export type ChunkPlace = { storeId: string; loaderId: string; chunkId: string };

/** Loaders of stores and their chunks. Unknown ids are `not-found`; changes during an upsert are `conflict`. */
export type LoaderService = {
  get(storeId: string, loaderId: string): Promise<JsonObject>;
  /** Adds a loader, or changes the one that the body names or equals, without loading anything. */
  save(body: LoaderBody): Promise<JsonObject>;
  /** Loads and splits without storing anything. */
  preview(body: LoaderPreviewBody, signal: AbortSignal): Promise<LoaderPreview>;
  /** 50 chunks of a loader, from page 1; with `search` only those that contain that text. */
  chunkPage(
    storeId: string,
    loaderId: string,
    place: { page: number; search?: string | undefined },
  ): Promise<ChunkPage>;
  /** A file of a loader, by its name: the document that its passages come from. */
  file(loaderId: string, name: string): Promise<{ name: string; mime: string; bytes: Uint8Array }>;
  /**
   * Changes a chunk. Deletes its vector first: searches do not find it until the next upsert. Returns the first page.
   */
  updateChunk(place: ChunkPlace, body: ChunkUpdate): Promise<ChunkPage>;
  /** Deletes a chunk, its vector first. Rejects with the vector database's error, and then nothing has changed. */
  removeChunk(place: ChunkPlace): Promise<void>;
  /**
   * Deletes a loader with its chunks and files. Its vectors stay in the vector database, but are not found any more.
   */
  remove(storeId: string, loaderId: string): Promise<void>;
};

const pageSize = 50;
const isolation = { isolation: "read-committed" } as const;

type Handle = Kysely<Tables>;

export function createLoaderService(context: StoreContext): LoaderService {
  const { clock, ids, files, loading, logger } = context;
  const { read } = context.database;
  const note = (event: string, { storeId, loaderId }: ChunkPlace) =>
    logger.info(event, { storeId, loaderId, count: 1 });

  const chunkPage: LoaderService["chunkPage"] = async (storeId, loaderId, { page, search = "" }) => {
    const store = await getStore(read, storeId);
    const loader = await getLoader(read, storeId, loaderId);
    const set = { loaderId, chunkSet: loader.chunkSet };
    const rows = await chunks.pageOfChunks(read, set, { search, offset: (page - 1) * pageSize, limit: pageSize });
    return {
      chunks: rows.map(({ id, chunkNo, pageContent, metadata }) => {
        return { id, docId: loaderId, storeId, chunkNo, pageContent, metadata };
      }),
      count: search === "" ? loader.totalChunks : await chunks.countChunksWith(read, set, search),
      characters: loader.totalChars,
      currentPage: page,
      file: toShortLoaderView(loader, await withOf(read, loader)),
      docId: loaderId,
      storeName: store.name,
      description: store.description,
    };
  };

  return {
    get: async (storeId, loaderId) => view(read, await getLoader(read, storeId, loaderId)),

    async save({ storeId, ...body }) {
      await getStore(read, storeId);
      const prepared = await prepareLoader(context, { storeId, item: itemOf(body) });
      const store = async (tx: Handle) => {
        const now = toMoment(clock.now());
        const { row } = await storeLoader(tx, prepared, { storeId, newId: ids.uuid(), now, event: "changed" });
        return view(tx, row);
      };
      return files.during(prepared.files, () => change(context, storeId, store));
    },

    async preview({ storeId: given, previewChunkCount, ...body }, signal) {
      const storeId = given ?? "";
      if (given) await getStore(read, storeId);
      const prepared = await prepareLoader(context, { storeId, item: itemOf(body) });
      const base = prepared.docId ? await findLoader(read, storeId, prepared.docId) : undefined;
      const count = previewChunkCount ?? undefined;
      const share = { name: `preview ${storeId}`, isAnonymous: false };
      const services = { ...loading, documents: inNameOf(share, loading.documents) };
      return previewLoader(prepared, { base, count, services, signal });
    },

    chunkPage,

    async file(loaderId, given) {
      const found = await files.readNamed(loaderId, given);
      if (found === undefined) throw new WeftError("not-found", { params: { resource: "file", id: given } });
      return { name: found.name, mime: found.mediaType, bytes: await readWhole(found) };
    },

    async updateChunk(place, { pageContent, metadata }) {
      const isOther = (chunk: DocumentChunkRow) =>
        pageContent !== chunk.pageContent || (metadata && !isDeepStrictEqual(metadata, JSON.parse(chunk.metadata)));
      if (isOther(await getChunk(read, place))) await removeVector(context, place);
      await changeChunk(context, place, async (tx, chunk) => {
        const plan = isOther(chunk) ? chunks.changedPlan : chunk.plan;
        const next = { ...chunk, plan, pageContent, ...(metadata && { metadata: JSON.stringify(metadata) }) };
        await chunks.updateChunk(tx, next);
        if (pageContent !== chunk.pageContent) await clearFingerprint(tx, chunk);
        return { chunks: 0, characters: pageContent.length - chunk.pageContent.length };
      });
      note("document-chunk-changed", place);
      return chunkPage(place.storeId, place.loaderId, { page: 1 });
    },

    async removeChunk(place) {
      await getChunk(read, place);
      await removeVector(context, place);
      await changeChunk(context, place, async (tx, chunk) => {
        await chunks.deleteChunk(tx, chunk);
        await clearFingerprint(tx, chunk);
        return { chunks: -1, characters: -chunk.pageContent.length };
      });
      note("document-chunk-deleted", place);
    },

    async remove(storeId, loaderId) {
      const count = await change(context, storeId, async (tx) => {
        const { totalChunks } = await getLoader(tx, storeId, loaderId);
        await deleteLoader(tx, loaderId);
        return totalChunks;
      });
      logger.info("document-loader-deleted", { storeId, loaderId, count });
    },
  };
}

async function getChunk(db: Handle, { storeId, loaderId, chunkId: id }: ChunkPlace): Promise<DocumentChunkRow> {
  const { chunkSet } = await getLoader(db, storeId, loaderId);
  const chunk = await chunks.findChunk(db, { loaderId, chunkSet, id });
  if (chunk === undefined) throw new WeftError("not-found", { params: { resource: "chunk", id } });
  return chunk;
}

/** Deletes the vector before the chunk: while it can be found, someone can still delete it. */
function removeVector(context: StoreContext, place: ChunkPlace): Promise<void> {
  return deleteChunkVector(context, { ...place, signal: AbortSignal.timeout(removalTimeoutMs) });
}

const removalTimeoutMs = 15_000;

async function view(db: Handle, loader: DocumentLoaderRow): Promise<JsonObject> {
  return toLoaderView(loader, await withOf(db, loader));
}

async function withOf(db: Handle, loader: DocumentLoaderRow): Promise<LoaderCompany> {
  return { files: await listFiles(db, [loader.id]), copies: await findCopiesOf(db, loader) };
}

/** Changes something of a store during no upsert, and updates the store's date. */
function change<T>({ database, clock }: StoreContext, storeId: string, fn: (tx: Handle) => Promise<T>): Promise<T> {
  return database.write(async (tx) => {
    await lockStore(tx, storeId);
    await assertIdle(tx, storeId);
    const result = await fn(tx);
    await updateStore(tx, { id: storeId, updatedDate: toMoment(clock.now()) });
    return result;
  }, isolation);
}

/** Changes a chunk by `fn`, which resolves with the change of the loader's chunk and character counts. */
function changeChunk(
  context: StoreContext,
  place: ChunkPlace,
  fn: (tx: Handle, chunk: DocumentChunkRow) => Promise<{ chunks: number; characters: number }>,
): Promise<void> {
  return change(context, place.storeId, async (tx) => {
    const loader = await getLoader(tx, place.storeId, place.loaderId);
    const chunk = await getChunk(tx, place);
    const more = await fn(tx, chunk);
    await updateLoader(tx, {
      id: loader.id,
      totalChunks: loader.totalChunks + more.chunks,
      totalChars: loader.totalChars + more.characters,
      status: nextStatus(loader.status, "changed"),
      updatedDate: toMoment(context.clock.now()),
    });
  });
}

function itemOf(body: Omit<LoaderBody, "storeId">): UpsertItem {
  return { ...toItem(body), docId: body.id ?? undefined };
}
