import type { Tables } from "@weft/database";
import { listOrPage, type RowDates } from "@weft/http/rows";
import { parseRecordManager } from "@weft/knowledge";
import {
  type DocumentStore,
  type DocumentStoreCreate,
  type DocumentStoreUpdate,
  momentAfter,
  type PageQuery,
  type StoreQuestionSet,
  toMoment,
  type VectorStoreSettings,
} from "@weft/schema";
import type { Kysely } from "kysely";
import { listFiles } from "../files/document-files.ts";
import { findCopies } from "../files/find-copies.ts";
import { prepareGivenLoaders, storeGivenLoaders, toShortLoaderView } from "../loaders/given-loaders.ts";
import { keepQuestionSet } from "../questions/index.ts";
import { assertRetrievalConfig } from "../search/index.ts";
import * as store from "../state/document-store.store.ts";
import { listLoaders, outdateLoaders, storeStatus } from "../state/loader.store.ts";
import { listCollections } from "../state/record.store.ts";
import { assertIdle } from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import type { DocumentCollectionRow, DocumentStoreRow } from "../tables.ts";
import type { UpsertHistoryService, UpsertJobs } from "../upserts/index.ts";
import { assertConfigured, readChoice } from "./store-backend.ts";

/** The parts of an export file's store beside its settings. */
type Brought = { questionSet?: StoreQuestionSet };

/** Document stores themselves. Methods that take an id reject with `not-found` for an unknown one. */
export type DocumentStoreService = {
  /** Most recently updated first; all of them, or one page if `page` and `limit` are given. */
  list(query: PageQuery): Promise<DocumentStore[] | { data: DocumentStore[]; total: number }>;
  get(id: string): Promise<DocumentStore>;
  /**
   * Adds its loaders unprocessed. Rejects with `conflict` if the body's own id is taken, and for unknown names in
   * settings or loaders. `dates`: of a store from another installation.
   */
  create(body: DocumentStoreCreate & Brought, dates?: RowDates): Promise<DocumentStore>;
  /** Rejects as `create` and `update` for unknown names in settings or loaders, and writes nothing. */
  check(body: DocumentStoreCreate & { id: string }): Promise<void>;
  /**
   * If `assertCurrent` throws on the stored state, nothing changes. Moving the vectors outdates the loaders. Loaders
   * are added or changed, which is `conflict` during an upsert, but never deleted.
   */
  update(
    id: string,
    body: DocumentStoreUpdate & Brought,
    assertCurrent?: (current: DocumentStore) => void,
  ): Promise<DocumentStore>;
  /** Saves a store's embedding and vector settings, as existing clients send them. */
  saveSettings(settings: VectorStoreSettings): Promise<DocumentStore>;
  /** Including its loaders, chunks and vectors. Cancels running upserts first. */
  remove(id: string): Promise<void>;
};

const isolation = { isolation: "read-committed" } as const;

export function createDocumentStoreService(
  context: StoreContext,
  { jobs, history }: { jobs: UpsertJobs; history: UpsertHistoryService },
): DocumentStoreService {
  const { database, clock, ids } = context;
  const { read } = database;

  const update: DocumentStoreService["update"] = async (
    id,
    { loaders: given, questionSet, ...body },
    assertCurrent,
  ) => {
    await assertSettings(context, body);
    return withLoaders(context, { storeId: id, given }, async (tx, storeGiven) => {
      const row = await store.lockStore(tx, id);
      assertCurrent?.(await viewOne(tx, row));
      const next = { ...row, ...stated(body), updatedDate: momentAfter(row.updatedDate, clock.now()) };
      await store.updateStore(tx, next);
      await outdateLoaders(tx, row, next);
      if (questionSet !== undefined) await keepQuestionSet(context, tx, { storeId: id, set: questionSet });
      if (storeGiven !== undefined) {
        await assertIdle(tx, id);
        await storeGiven(next.updatedDate);
      }
      return viewOne(tx, next);
    });
  };

  return {
    async list(query) {
      const found = await listOrPage(store.allStores(read), query, (row) => row);
      return "data" in found ? { ...found, data: await view(read, found.data) } : view(read, found);
    },

    get: async (id) => viewOne(read, await store.getStore(read, id)),

    async check({ id: storeId, loaders, ...body }) {
      await assertSettings(context, body);
      await prepareGivenLoaders(context, { storeId, given: loaders ?? [] });
    },

    async create({ id = ids.uuid(), loaders: given, questionSet, ...body }, dates) {
      await assertSettings(context, body);
      const now = toMoment(clock.now());
      const configs = {
        embeddingConfig: "{}",
        vectorStoreConfig: "{}",
        recordManagerConfig: "{}",
        retrievalConfig: "{}",
      };
      const row = { ...configs, ...stated(body), id, ...(dates ?? { createdDate: now, updatedDate: now }) };
      return withLoaders(context, { storeId: id, given }, async (tx, storeGiven) => {
        await store.insertStore(tx, row);
        await store.recordUsers(tx, id);
        if (questionSet !== undefined) await keepQuestionSet(context, tx, { storeId: id, set: questionSet });
        await storeGiven?.(now);
        return viewOne(tx, row);
      });
    },

    update,

    saveSettings(settings) {
      return update(settings.storeId, settingsText(settings));
    },

    async remove(id) {
      await store.getStore(read, id);
      await jobs.cancelOfStore(id);
      const collections = await listCollections(read, id);
      const count = await database.write(async (tx) => {
        await store.lockStore(tx, id);
        const loaders = await listLoaders(tx, [id]);
        await history.removeOfAgent(tx, id);
        await store.deleteStore(tx, id);
        return loaders.reduce((sum, { totalChunks }) => sum + totalChunks, 0);
      }, isolation);
      for (const collection of collections) await drop(context, collection);
      context.logger.info("document-store-deleted", { storeId: id, count });
    },
  };
}

type Handle = Kysely<Tables>;

/** Writes a store; `storeGiven` stores the loaders that came with it, and is undefined if there are none. */
type WriteStore<T> = (tx: Handle, storeGiven: ((now: string) => Promise<void>) | undefined) => Promise<T>;

/** Calls `write` in a transaction, with the store's loaders prepared. */
async function withLoaders<T>(
  context: StoreContext,
  { storeId, given }: { storeId: string; given: DocumentStoreUpdate["loaders"] },
  write: WriteStore<T>,
): Promise<T> {
  const { database, files } = context;
  const loaders = await prepareGivenLoaders(context, { storeId, given: given ?? [] });
  const held = loaders.flatMap(({ prepared }) => prepared.files);
  return files.during(held, () =>
    database.write((tx) => {
      const storeGiven = (now: string) => storeGivenLoaders(tx, loaders, { storeId, now });
      return write(tx, loaders.length > 0 ? storeGiven : undefined);
    }, isolation),
  );
}

async function viewOne(db: Handle, row: DocumentStoreRow): Promise<DocumentStore> {
  const toView = await viewer(db, [row]);
  return toView(row);
}

/** Stores as the API shows them. */
async function view(db: Handle, rows: readonly DocumentStoreRow[]): Promise<DocumentStore[]> {
  return rows.map(await viewer(db, rows));
}

/** Reads what is shown beside these rows. */
async function viewer(
  db: Handle,
  rows: readonly DocumentStoreRow[],
): Promise<(row: DocumentStoreRow) => DocumentStore> {
  const storeIds = rows.map(({ id }) => id);
  const loaders = await listLoaders(db, storeIds);
  const files = await listFiles(
    db,
    loaders.map(({ id }) => id),
  );
  const uses = await store.usesOf(db, storeIds);
  const copies = await findCopies(db, storeIds);
  const loadersOf = Map.groupBy(loaders, ({ storeId }) => storeId);
  const filesOf = Map.groupBy(files, ({ loaderId }) => loaderId);
  return (row) => {
    const mine = loadersOf.get(row.id) ?? [];
    return {
      ...row,
      loaders: JSON.stringify(
        mine.map((loader) =>
          toShortLoaderView(loader, { files: filesOf.get(loader.id), copies: copies.get(loader.id) }),
        ),
      ),
      whereUsed: JSON.stringify(uses.get(row.id) ?? []),
      status: storeStatus(mine),
      totalChunks: mine.reduce((total, { totalChunks }) => total + totalChunks, 0),
      totalChars: mine.reduce((total, { totalChars }) => total + totalChars, 0),
    };
  };
}

function stated<T extends object>(body: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}

/** Rejects for settings with unknown names. */
async function assertSettings(models: StoreContext, body: DocumentStoreUpdate): Promise<void> {
  assertConfigured(body);
  await assertRetrievalConfig(body.retrievalConfig, models);
  const { recordManagerConfig } = body;
  if (recordManagerConfig !== undefined && readChoice(recordManagerConfig).name !== undefined) {
    parseRecordManager(JSON.parse(recordManagerConfig));
  }
}

/** Leftovers in a database that does not respond are orphaned: that is logged, but is not a failure. */
async function drop({ backend, logger }: StoreContext, row: DocumentCollectionRow) {
  try {
    const collection = await backend.open(row, row);
    await collection.drop({ signal: AbortSignal.timeout(dropTimeoutMs) });
  } catch (cause) {
    logger.warn("collection-not-dropped", { reason: row.collection, cause });
  }
}

const dropTimeoutMs = 15_000;

function settingsText(settings: VectorStoreSettings): DocumentStoreUpdate {
  const { embeddingName, embeddingConfig, vectorStoreName, vectorStoreConfig } = settings;
  const { recordManagerName, recordManagerConfig } = settings;
  return {
    ...(embeddingName && { embeddingConfig: choiceText(embeddingName, embeddingConfig) }),
    ...(vectorStoreName && { vectorStoreConfig: choiceText(vectorStoreName, vectorStoreConfig) }),
    ...(recordManagerName && { recordManagerConfig: choiceText(recordManagerName, recordManagerConfig) }),
  };
}

function choiceText(name: string, config: object | null | undefined): string {
  return JSON.stringify({ name, config: config ?? {} });
}
