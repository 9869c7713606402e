import type { Database, Tables } from "@weft/database";
import { parseComponent, parseRecordManager } from "@weft/knowledge";
import type { Cleanup } from "@weft/knowledge/plan-upsert";
import {
  type DocumentStoreCreate,
  type DocumentUpsert,
  momentAfter,
  toJsonObject,
  toMoment,
  type UpsertItem,
  type UpsertResult,
  type VectorStoreSettings,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { NewFile } from "../files/document-files.ts";
import {
  LoaderChangedError,
  type LoaderChat,
  type LoaderRequest,
  type PreparedLoader,
  prepareLoader,
  sha256,
  storeLoader,
} from "../loaders/prepare-loader.ts";
import { findStore, getStore, updateStore } from "../state/document-store.store.ts";
import {
  getLoader,
  type LoaderEvent,
  listLoaderStates,
  nextStatus,
  outdateLoaders,
  updateLoader,
} from "../state/loader.store.ts";
import type { UpsertTask } from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import { assertConfigured, readChoice } from "../stores/store-backend.ts";
import type { DocumentStoreRow } from "../tables.ts";
import type { UpsertJobs } from "./upsert-jobs.service.ts";
import { sumOf } from "./upsert-settlement.ts";

/** Creates the store of an upsert that begins with one, and saves the settings that an upsert brings. */
type Stores = {
  create(body: DocumentStoreCreate): Promise<{ id: string }>;
  saveSettings(settings: VectorStoreSettings): Promise<unknown>;
};

export type UpsertRequest = {
  storeId: string;
  body: DocumentUpsert;
  files?: readonly NewFile[];
  /** The requested agent; absent for the store itself. */
  agentId?: string;
  /** The chat that the documents come from: they are deleted when a person's data is erased. */
  chat?: LoaderChat | undefined;
  /** Of the upsert, and of the store if the body asks for a new one. Default: new ones. */
  id?: string | undefined;
};

export type RefreshRequest = Pick<UpsertRequest, "storeId" | "agentId" | "id"> & { items: readonly UpsertItem[] };

/** Upsert requests. All resolve with the id of the upsert, which is durably accepted and continues on its own. */
export type UpsertService = {
  /**
   * Loads, splits, embeds and writes one loader, or all of the store's if the body names nothing to load. Rejects with
   * `parameters-invalid` or `not-found`.
   */
  begin(request: UpsertRequest): Promise<string>;
  /** Reloads loaders of a store: those of the items, or all. */
  beginRefresh(refresh: RefreshRequest): Promise<string>;
  /** Loads and splits a stored loader without embedding anything. */
  beginProcessing(storeId: string, loaderId: string): Promise<string>;
  /** Embeds and writes the existing chunks, of one loader or all. */
  beginInsert(settings: VectorStoreSettings): Promise<string>;
  /** As `beginInsert`, for these loaders, with the store's current settings. */
  beginInsertOf(storeId: string, loaderIds: readonly string[]): Promise<string>;
  result(id: string): Promise<UpsertResult[]>;
  /** The result of what `begin` began under that id, once it has ended. Undefined: nothing, or it should be tried again. */
  recall(id: string): Promise<UpsertResult[] | undefined>;
};

export function createUpsertService(context: StoreContext, stores: Stores, jobs: UpsertJobs): UpsertService {
  const { read } = context.database;

  async function createStore(body: DocumentUpsert, id: string | undefined): Promise<string> {
    // An earlier request under this id got that far.
    if (id !== undefined && (await findStore(read, id)) !== undefined) return id;
    return (await stores.create(newStoreOf(body, id))).id;
  }

  return {
    async begin({ body, files = [], ...request }) {
      const settings = settingsOf(body);
      const storeId = body.createNewDocStore ? await createStore(body, request.id) : request.storeId;
      return againWhenChanged(async () => {
        const store = { ...(await getStore(read, storeId)), ...settings };
        const items = await itemsOf(read, storeId, { body, files });
        const tasks: Task[] = [];
        for (const item of items) tasks.push(await prepareTask(context, store, { item, files, copies: true }));
        return beginTasks({ ...context, jobs }, { ...request, storeId }, { tasks, settings });
      });
    },

    beginRefresh({ storeId, items, ...request }) {
      return againWhenChanged(async () => {
        const store = await getStore(read, storeId);
        const loaders = items.length > 0 ? [] : await listLoaderStates(read, storeId);
        const asked = items.length > 0 ? items : loaders.map(({ id }) => ({ docId: id }));
        const settings: Partial<Settings> = {};
        for (const item of asked) Object.assign(settings, settingsOf(item));
        const tasks: Task[] = [];
        for (const item of asked)
          tasks.push(await prepareTask(context, { ...store, ...settings }, { item, files: [] }));
        return beginTasks({ ...context, jobs }, { ...request, storeId }, { tasks, settings });
      });
    },

    async beginProcessing(storeId, loaderId) {
      await getStore(read, storeId);
      return beginStored(jobs, storeId, { loaderIds: [loaderId], event: "processing", loads: true, embeds: false });
    },

    async beginInsert(settings) {
      const { storeId, docId } = settings;
      await stores.saveSettings(settings);
      const loaders = await listLoaderStates(read, storeId);
      const loaderIds = docId ? [docId] : loaders.map(({ id }) => id);
      return beginStored(jobs, storeId, { loaderIds, event: "upserting", loads: false, embeds: true });
    },

    beginInsertOf(storeId, loaderIds) {
      return beginStored(jobs, storeId, { loaderIds, event: "upserting", loads: false, embeds: true });
    },

    result: (id) => jobs.result(id),
    recall: (id) => jobs.recall(id),
  };
}

type Task = { prepared: PreparedLoader; replaces: boolean; cleanup: Cleanup };
type Settings = { embeddingConfig: string; vectorStoreConfig: string; recordManagerConfig: string };

async function prepareTask(
  context: StoreContext,
  store: DocumentStoreRow,
  request: Omit<LoaderRequest, "storeId">,
): Promise<Task> {
  const { item } = request;
  const replaces = item.replaceExisting ?? false;
  const prepared = await prepareLoader(context, { ...request, storeId: store.id });
  return { prepared, replaces, cleanup: cleanupOf(store, item, replaces) };
}

/** A request's content: loaders, and changes to the store's own settings. */
type Acceptance = { tasks: readonly Task[]; settings: Partial<Settings>; chat?: LoaderChat | undefined };

/** Begins an upsert of the request's loaders, and stores them with it. */
async function beginTasks(
  context: StoreContext & { jobs: UpsertJobs },
  { id, storeId, agentId = "", chat }: Omit<UpsertRequest, "body">,
  { tasks, settings }: Acceptance,
): Promise<string> {
  const files = tasks.flatMap(({ prepared }) => prepared.files);
  return context.files.during(files, (hashes) =>
    context.jobs.begin({
      ...(id !== undefined && { runId: id }),
      storeId,
      agentId,
      requestHash: sha256(JSON.stringify([storeId, agentId, settings, tasks.map(fingerprint), hashes])),
      prepare: (tx, store) => acceptTasks(context, { tx, store }, { tasks, settings, chat }),
    }),
  );
}

/** Stores the tasks' loaders, and the request's changes to the store's own settings. */
async function acceptTasks(
  { clock, ids }: StoreContext,
  { tx, store }: { tx: Kysely<Tables>; store: DocumentStoreRow },
  { tasks, settings, chat }: Acceptance,
) {
  const now = momentAfter(store.updatedDate, clock.now());
  const next = { ...store, ...settings, updatedDate: now };
  await updateStore(tx, next);
  await outdateLoaders(tx, store, next);
  const stored: UpsertTask[] = [];
  for (const { prepared, ...how } of tasks) {
    const { row, before } = await storeLoader(tx, prepared, {
      storeId: store.id,
      newId: ids.uuid(),
      now: toMoment(clock.now()),
      event: "upserting",
      chat,
    });
    stored.push({ loaderId: row.id, loads: true, ...how, before });
  }
  return { embeds: true, tasks: stored, ...componentsOf(next) };
}

type StoredLoaders = { loaderIds: readonly string[]; event: LoaderEvent; loads: boolean; embeds: boolean };

/** Begins an upsert of stored loaders. */
function beginStored(jobs: UpsertJobs, storeId: string, { loaderIds, event, ...how }: StoredLoaders): Promise<string> {
  return jobs.begin({
    storeId,
    agentId: "",
    requestHash: sha256(JSON.stringify([storeId, loaderIds, event, how])),
    async prepare(tx, store) {
      const tasks: UpsertTask[] = [];
      for (const loaderId of loaderIds) {
        const loader = await getLoader(tx, storeId, loaderId);
        const before = loader.status;
        await updateLoader(tx, { id: loaderId, status: nextStatus(before, event) });
        const cleanup = how.loads ? "none" : cleanupOf(store, {}, false);
        tasks.push({ loaderId, loads: how.loads, replaces: how.loads, cleanup, before });
      }
      return { embeds: how.embeds, tasks, ...componentsOf(store) };
    },
  });
}

/** For concurrent uploads to one loader that keep changing its files between read and write. */
const maxAttempts = 20;

/** Retries when the files of a loader that a request adds to changed in between. */
async function againWhenChanged<T>(begin: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await begin();
  } catch (cause) {
    if (!(cause instanceof LoaderChangedError) || attempt >= maxAttempts) throw cause;
    return againWhenChanged(begin, attempt + 1);
  }
}

function componentsOf({ embeddingConfig, vectorStoreConfig, recordManagerConfig }: DocumentStoreRow) {
  return { embeddingConfig, vectorStoreConfig, records: recordManagerOf(recordManagerConfig).isOn };
}

/** The body's settings of the store: saved there, as existing clients expect. Throws for unknown names. */
function settingsOf(body: UpsertItem): Partial<Settings> {
  const settings: Partial<Settings> = {};
  for (const field of ["embedding", "vectorStore", "recordManager"] as const) {
    const given = parseComponent(field, body[field]);
    if (given === undefined) continue;
    const { name, config, credential } = given;
    const component = { name, config: { ...config, ...(credential !== undefined && { credential }) } };
    settings[`${field}Config`] = JSON.stringify(component);
  }
  assertConfigured(settings);
  return settings;
}

/**
 * Which of the loader's vectors are removed. `replaceExisting` keeps the existing ones, unless the request says
 * otherwise. Source: contract, "Document store status".
 */
function cleanupOf(store: DocumentStoreRow, item: UpsertItem, replaces: boolean): Cleanup {
  if (replaces) return item.deleteEmbeddings ? "full" : "none";
  return recordManagerOf(store.recordManagerConfig).cleanup;
}

function recordManagerOf(text: string) {
  return parseRecordManager(readChoice(text).name === undefined ? undefined : JSON.parse(text));
}

function newStoreOf({ docStore }: DocumentUpsert, id: string | undefined) {
  const { name, description } = toJsonObject(docStore);
  return {
    ...(id !== undefined && { id }),
    name: typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 500) : "Document store",
    description: typeof description === "string" ? description : "",
  };
}

/** Equal for loaders that load the same in the same way, apart from their files. */
function fingerprint({ prepared, ...how }: Task) {
  const { files: _, readConfig: _read, loaderConfig, ...rest } = prepared;
  const { files: _ids, ...config } = loaderConfig;
  return [rest, config, how];
}

/** The requested items: one loader, or all of the store's if the body names nothing to load. */
async function itemsOf(
  read: Database["read"],
  storeId: string,
  { body, files }: { body: DocumentUpsert; files: readonly NewFile[] },
): Promise<UpsertItem[]> {
  if (body.docId || body.createNewDocStore || files.length > 0 || parseComponent("loader", body.loader)) return [body];
  const loaders = await listLoaderStates(read, storeId);
  if (loaders.length === 0) throw nothingToLoad();
  return loaders.map(({ id }) => ({ ...body, docId: id }));
}

function nothingToLoad(): WeftError {
  const reason =
    "This document store has no loader to process. Specify what to load: loader: { name, config }, or files in a form.";
  return new WeftError("parameters-invalid", { params: { reason } });
}

/** Merges the results of several loaders into one, under the first one's id. */
export function toOneResult(results: readonly UpsertResult[]): UpsertResult {
  const none = { docId: "", storeId: "" };
  return {
    ...(results[0] ?? none),
    ...sumOf(results),
    addedDocs: results.flatMap(({ addedDocs }) => addedDocs).slice(0, maxAddedDocs),
    failed: results.flatMap(({ failed }) => failed),
  };
}

const maxAddedDocs = 1_000;
