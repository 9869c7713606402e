import type { Database, DocumentChunkRow, DocumentLoaderRow, DocumentStoreRow, Tables } from "@weft/database";
import { inNameOf } from "@weft/documents";
import type { Clock, IdSource, LoaderServices } from "@weft/engine";
import { defaultSplitterName } from "@weft/knowledge";
import {
  type ChunkPage,
  type ChunkUpdate,
  type Document,
  type JsonObject,
  type LoaderBody,
  type LoaderPreview,
  type LoaderPreviewBody,
  toMoment,
  type UpsertItem,
} from "@weft/schema";
import type { Kysely } from "kysely";
import { listFiles } from "../files/document-file.store.ts";
import type { DocumentFiles } from "../files/document-files.ts";
import { toItem } from "../loaders/given-loaders.ts";
import { type PreparedLoader, prepareLoader, storeLoader } from "../loaders/prepare-loader.ts";
import { type LoaderSettings, type LoadLog, splitSources } from "../loaders/split-sources.ts";
import {
  chunkNotFound,
  chunkRows as chunks,
  deleteLoader,
  findLoader,
  findStore,
  type LoaderStatus,
  loaderNotFound,
  lockStore,
  nextStatus,
  storeNotFound,
  toLoaderView,
  toShortLoaderView,
  updateLoader,
  updateStore,
} from "../state/index.ts";
import type { UpsertJobs } from "../upserts/index.ts";

export type LoaderServiceDeps = {
  database: Database;
  loading: LoaderServices;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  jobs: Pick<UpsertJobs, "assertIdle">;
  files: Pick<DocumentFiles, "during">;
};

export type ChunkPlace = { storeId: string; loaderId: string; chunkId: string };

/** Loaders of stores and their chunks. Unknown ids are `not-found`; what changes them is `conflict` during an upsert. */
export type LoaderService = {
  get(storeId: string, loaderId: string): Promise<JsonObject>;
  /** Adds a loader, or changes the one that the body names or equals, without loading anything. */
  save(body: LoaderBody): Promise<JsonObject>;
  /** What a loader would load and how it would be split. Nothing is stored. */
  preview(body: LoaderPreviewBody, signal: AbortSignal): Promise<LoaderPreview>;
  /** 50 chunks of a loader, from page 1; with `search` only those that have that text. */
  chunkPage(
    storeId: string,
    loaderId: string,
    place: { page: number; search?: string | undefined },
  ): Promise<ChunkPage>;
  /** Changes a chunk; the vectors do not match it until the next upsert. Answers the first page. */
  updateChunk(place: ChunkPlace, body: ChunkUpdate): Promise<ChunkPage>;
  removeChunk(place: ChunkPlace): Promise<void>;
  /** With its chunks and files. What is in the vector database stays there. */
  remove(storeId: string, loaderId: string): Promise<void>;
};

const pageSize = 50;
const isolation = { isolation: "read-committed" } as const;

export function createLoaderService(deps: LoaderServiceDeps): LoaderService {
  const { database, clock, ids } = deps;
  const { read } = database;
  const newId = () => ids.uuid();

  async function existing(db: Kysely<Tables>, storeId: string, loaderId: string): Promise<DocumentLoaderRow> {
    const loader = await findLoader(db, storeId, loaderId);
    if (loader === undefined) throw loaderNotFound(loaderId);
    return loader;
  }

  async function view(db: Kysely<Tables>, loader: DocumentLoaderRow): Promise<JsonObject> {
    return toLoaderView(loader, await listFiles(db, [loader.id]));
  }

  /** Changes something of a store that no upsert works on, and dates the store. */
  function change<T>(storeId: string, fn: (tx: Kysely<Tables>, store: DocumentStoreRow) => Promise<T>): Promise<T> {
    return database.write(async (tx) => {
      const store = await lockStore(tx, storeId);
      if (store === undefined) throw storeNotFound(storeId);
      await deps.jobs.assertIdle(tx, storeId);
      const result = await fn(tx, store);
      await updateStore(tx, { id: storeId, updatedDate: toMoment(clock.now()) });
      return result;
    }, isolation);
  }

  function changeChunk<T>(
    { storeId, loaderId, chunkId }: ChunkPlace,
    fn: (tx: Kysely<Tables>, found: { loader: DocumentLoaderRow; chunk: DocumentChunkRow }) => Promise<T>,
  ): Promise<T> {
    return change(storeId, async (tx) => {
      const loader = await existing(tx, storeId, loaderId);
      const chunk = await chunks.findChunk(tx, { loaderId, chunkSet: loader.chunkSet, id: chunkId });
      if (chunk === undefined) throw chunkNotFound(chunkId);
      return fn(tx, { loader, chunk });
    });
  }

  const chunkPage: LoaderService["chunkPage"] = async (storeId, loaderId, { page, search = "" }) => {
    const store = await findStore(read, storeId);
    if (store === undefined) throw storeNotFound(storeId);
    const loader = await existing(read, storeId, loaderId);
    const set = { loaderId, chunkSet: loader.chunkSet };
    const rows = await chunks.pageOfChunks(read, set, { search, offset: (page - 1) * pageSize, limit: pageSize });
    return {
      chunks: rows.map(({ id, chunkNo, pageContent, metadata }) => {
        return { id, docId: loaderId, storeId, chunkNo, pageContent, metadata };
      }),
      count: search === "" ? loader.totalChunks : await chunks.countChunksWith(read, set, search),
      characters: loader.totalChars,
      currentPage: page,
      file: toShortLoaderView(loader, await listFiles(read, [loaderId])),
      docId: loaderId,
      storeName: store.name,
      description: store.description,
    };
  };

  return {
    get: async (storeId, loaderId) => view(read, await existing(read, storeId, loaderId)),

    async save({ storeId, ...body }) {
      if ((await findStore(read, storeId)) === undefined) throw storeNotFound(storeId);
      const prepared = await prepareLoader({ read, newId }, { storeId, item: itemOf(body) });
      const store = async (tx: Kysely<Tables>) => {
        const now = toMoment(clock.now());
        const { row } = await storeLoader(tx, prepared, { storeId, newId: newId(), now, event: "changed" });
        return view(tx, row);
      };
      return deps.files.during(prepared.files, () => change(storeId, store));
    },

    async preview({ storeId: given, previewChunkCount, ...body }, signal) {
      const storeId = given ?? "";
      if (given && (await findStore(read, storeId)) === undefined) throw storeNotFound(storeId);
      const prepared = await prepareLoader({ read, newId }, { storeId, item: itemOf(body) });
      const base = prepared.docId ? await findLoader(read, storeId, prepared.docId) : undefined;
      const count = previewChunkCount ?? undefined;
      const share = { name: `preview ${storeId}`, isAnonymous: false };
      const services = { ...deps.loading, documents: inNameOf(share, deps.loading.documents) };
      return previewLoader(prepared, { base, count, services, signal });
    },

    chunkPage,

    async updateChunk(place, { pageContent, metadata }) {
      await changeChunk(place, async (tx, { loader, chunk }) => {
        const next = { ...chunk, pageContent, ...(metadata && { metadata: JSON.stringify(metadata) }) };
        await chunks.updateChunk(tx, next);
        const totalChars = loader.totalChars + pageContent.length - chunk.pageContent.length;
        await updateLoader(tx, { id: loader.id, totalChars, ...changed(loader, clock.now()) });
      });
      return chunkPage(place.storeId, place.loaderId, { page: 1 });
    },

    removeChunk: (place) =>
      changeChunk(place, async (tx, { loader, chunk }) => {
        await chunks.deleteChunk(tx, chunk);
        const totalChars = loader.totalChars - chunk.pageContent.length;
        const totalChunks = loader.totalChunks - 1;
        await updateLoader(tx, { id: loader.id, totalChunks, totalChars, ...changed(loader, clock.now()) });
      }),

    remove: (storeId, loaderId) =>
      change(storeId, async (tx) => {
        await existing(tx, storeId, loaderId);
        await deleteLoader(tx, loaderId);
      }),
  };
}

function changed({ status }: DocumentLoaderRow, now: number) {
  return { status: nextStatus(status as LoaderStatus, "changed"), updatedDate: toMoment(now) };
}

function itemOf(body: Omit<LoaderBody, "storeId">): UpsertItem {
  return { ...toItem(body), docId: body.id ?? undefined };
}

type PreviewOptions = {
  /** The loader that is changed, when one is. */
  base: DocumentLoaderRow | undefined;
  /** How many chunks are shown; the others are counted. -1: as many as possible. */
  count: number | undefined;
  services: LoaderServices;
  signal: AbortSignal;
};

const defaultCount = 20;
const maxCount = 1_000;

/** Loads and splits what was prepared, and stores nothing. */
async function previewLoader(
  prepared: PreparedLoader,
  { base, count = defaultCount, services, signal }: PreviewOptions,
): Promise<LoaderPreview> {
  const log: LoadLog = { documents: 0, characters: 0, failures: [] };
  const most = count === -1 ? maxCount : Math.min(count, maxCount);
  const shown: Document[] = [];
  let totalChunks = 0;
  const loading = { services: withFiles(services, prepared.files), log, signal };
  for await (const { chunk } of splitSources(settingsOf(prepared, base), loading)) {
    totalChunks += 1;
    if (shown.length < most) shown.push({ pageContent: chunk.text, metadata: chunk.metadata });
  }
  return { chunks: shown, totalChunks, previewChunkCount: shown.length, failed: log.failures };
}

function settingsOf(
  { loader, loaderConfig, splitter, metadata }: PreparedLoader,
  base: DocumentLoaderRow | undefined,
): LoaderSettings {
  const stored = base ?? { splitter: defaultSplitterName, splitterConfig: "{}", metadata: "{}" };
  return {
    loader,
    loaderConfig: JSON.stringify(loaderConfig),
    splitter: splitter?.name ?? stored.splitter,
    splitterConfig: splitter ? JSON.stringify(splitter.config) : stored.splitterConfig,
    metadata: metadata ? JSON.stringify(metadata) : stored.metadata,
  };
}

/** Files that are not stored yet, beside those that are. */
function withFiles(services: LoaderServices, files: PreparedLoader["files"]): LoaderServices {
  return {
    ...services,
    async readFile(id) {
      const file = files.find((one) => one.id === id);
      return file ? { name: file.name, mediaType: file.mime, bytes: async () => file.bytes } : services.readFile(id);
    },
  };
}
