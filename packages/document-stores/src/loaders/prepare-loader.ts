import { hash } from "node:crypto";
import type { Tables } from "@weft/database";
import type { LoaderServices } from "@weft/engine/ports/document-loader";
import { defaultSplitterName, findSplitter, loaderIdentity, parseComponent, parseMetadata } from "@weft/knowledge";
import { findLoader as findLoaderType } from "@weft/providers/loaders";
import {
  type Document,
  type JsonObject,
  type LoaderPreview,
  toJsonObject,
  type UpsertItem,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import {
  adoptFiles,
  deleteOtherFiles,
  fileIds,
  findFile,
  type HeldFile,
  type NewFile,
  parseDataUrlFile,
  toFileName,
  toFileNames,
} from "../files/document-files.ts";
import { findLoader, findLoaderByIdentity, type LoaderEvent, nextStatus, saveLoader } from "../state/loader.store.ts";
import { listOpenJobs } from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import type { DocumentLoaderRow, LoaderStatus } from "../tables.ts";
import { type LoaderSettings, type LoadLog, splitSources } from "./reading/split-sources.ts";

type Handle = Kysely<Tables>;

export const sha256 = (text: string): string => hash("sha256", text, "hex");

/** A requested loader: parsed and identified, but not stored yet. */
export type PreparedLoader = {
  /** The loader that this one replaces; absent: the one with its identity, or a new one. */
  docId: string | undefined;
  identity: string;
  source: string;
  loader: string;
  loaderConfig: JsonObject;
  /** Undefined: as stored, or the default. */
  loaderName: string | undefined;
  splitter: { name: string; config: JsonObject } | undefined;
  metadata: JsonObject | undefined;
  /** Files that are not stored yet. */
  files: readonly HeldFile[];
  /** The configuration, as read, whose files the request adds to. Absent: the request names all files, or none. */
  readConfig?: string;
};

/** The files of a loader changed after a request for it was prepared: prepare it again. */
export class LoaderChangedError extends WeftError {
  constructor() {
    super("conflict", { params: { reason: "The files of this loader changed during the request. Send it again." } });
  }
}

export type LoaderRequest = {
  storeId: string;
  item: UpsertItem;
  files?: readonly NewFile[];
  /**
   * Whether another source for the named loader becomes a separate loader, with a copy of its settings, unless
   * `replaceExisting` says otherwise. Files are another source where `replaceExisting` is false, and more files of the
   * loader where it is absent. Default false: the loader changes. Source: contract, "docId".
   */
  copies?: boolean;
};

/**
 * Reads a requested loader, on top of the loader that it names. Rejects with `parameters-invalid` for invalid settings,
 * and for a `docId` that the store does not have.
 */
export async function prepareLoader(
  context: StoreContext,
  { storeId, item, files = [], copies = false }: LoaderRequest,
): Promise<PreparedLoader> {
  const { read } = context.database;
  const base = await findBase(read, storeId, item);
  const given = parseComponent("loader", item.loader && { name: base?.loader, ...item.loader });
  const type = findLoaderType(nameOfLoader(given, base, files));
  const isWhole = copies && item.replaceExisting === false;
  const baseConfig = configOf(base, type.name, { withFiles: files.length === 0 || !isWhole });
  // Files of several folders arrive without their paths.
  const names = toFileNames(files.map((upload) => upload.name));
  const uploads = files.map((upload, index) => ({ ...toHeldFile(upload, context), name: names[index] ?? "file" }));
  if (uploads.length > 0 && type.group !== "file") {
    throw invalid(`The loader ${type.name} does not accept files. Use the loader "file".`);
  }
  const raw = { ...baseConfig, ...given?.config, ...credentialOf(given) };
  if (uploads.length > 0) raw.files = [...fileIds(raw), ...uploads.map(({ id }) => id)];
  const parsed = toJsonObject(type.parseConfig(raw, given?.name));
  assertTypeable(parsed.text, baseConfig.text);
  const { config, newFiles } = await placeFiles(context, { config: parsed, uploads });
  const source = await type.sourceOf(config, { hash: sha256, nameOfFile: nameIn(read, newFiles) });
  const identity = loaderIdentity(type.name, source);
  const isGiven = given !== undefined || uploads.length > 0;
  const mayCopy = type.group === "file" ? isWhole && hasNoStoredFile(config, newFiles) : item.replaceExisting !== true;
  const original = copies && isGiven && mayCopy && base?.identity !== identity ? base : undefined;
  return {
    docId: original ? undefined : base?.id,
    identity,
    source: await readableSource(read, { config, source, newFiles }),
    loader: type.name,
    loaderConfig: config,
    ...saidSettings(item, base, original && settingsOfCopy(original, type.name)),
    files: newFiles,
    ...(!original && readingOf(base, baseConfig)),
  };
}

async function findBase(read: Handle, storeId: string, { docId }: UpsertItem): Promise<DocumentLoaderRow | undefined> {
  if (docId === undefined || docId === null) return undefined;
  const base = await findLoader(read, storeId, docId);
  if (base === undefined) throw unknownLoader(docId);
  return base;
}

function nameOfLoader(
  given: { name: string } | undefined,
  base: DocumentLoaderRow | undefined,
  files: readonly NewFile[],
): string {
  const name = given?.name ?? base?.loader ?? (files.length > 0 ? "file" : undefined);
  if (name === undefined) throw invalid("Specify what to load: loader: { name, config }, a docId, or files in a form.");
  return name;
}

type SaidSettings = Pick<PreparedLoader, "loaderName" | "splitter" | "metadata">;

/** The request's settings, and a copy's inherited ones. */
function saidSettings(item: UpsertItem, base: DocumentLoaderRow | undefined, copy?: SaidSettings): SaidSettings {
  return {
    loaderName: item.loaderName ?? copy?.loaderName,
    splitter: splitterOf(item.splitter, base) ?? copy?.splitter,
    metadata: metadataOf(item.metadata) ?? copy?.metadata,
  };
}

/** A loader of another type has a name of its own. */
function settingsOfCopy(original: DocumentLoaderRow, type: string): SaidSettings {
  const { loader, loaderName, splitter: name, splitterConfig, metadata } = original;
  return {
    loaderName: loader === type ? loaderName : undefined,
    splitter: { name, config: JSON.parse(splitterConfig) },
    metadata: JSON.parse(metadata),
  };
}

function configOf(
  base: DocumentLoaderRow | undefined,
  type: string,
  { withFiles }: { withFiles: boolean },
): JsonObject {
  const { files, ...config }: JsonObject = base?.loader === type ? JSON.parse(base.loaderConfig) : {};
  return withFiles && files !== undefined ? { ...config, files } : config;
}

/** Whether all files come with the request: a stored file belongs to its loader. */
function hasNoStoredFile(config: JsonObject, newFiles: readonly HeldFile[]): boolean {
  const brought = new Set(newFiles.map(({ id }) => id));
  return fileIds(config).every((id) => brought.has(id));
}

/** The chat that the documents come from. */
export type LoaderChat = { agentId: string; chatId: string };

type LoaderPlace = { storeId: string; newId: string; now: string; event: LoaderEvent; chat?: LoaderChat | undefined };

/**
 * Stores a prepared loader, replacing the one that it names or equals. The caller holds the store, and its files
 * (`DocumentFiles.during`). Files that it no longer names stay during an upsert of the store, which may be reading
 * them; its end removes them. Rejects with `LoaderChangedError`.
 */
export async function storeLoader(
  tx: Handle,
  prepared: PreparedLoader,
  { storeId, newId, now, event, chat }: LoaderPlace,
): Promise<{ row: DocumentLoaderRow; before: LoaderStatus }> {
  const { docId, identity, files } = prepared;
  const base = docId ? await findLoader(tx, storeId, docId) : await findLoaderByIdentity(tx, storeId, identity);
  if (docId !== undefined && base === undefined) throw unknownLoader(docId);
  if (prepared.readConfig !== undefined && prepared.readConfig !== base?.loaderConfig) throw new LoaderChangedError();
  const before = base?.status ?? "NEW";
  const row: DocumentLoaderRow = {
    ...(base ?? { ...emptyLoader, id: newId, storeId, createdDate: now }),
    ...columnsOf(prepared, base),
    // Documents loaded by the store's authors stay theirs.
    ...(chat && (base === undefined || base.chatId !== "") && { chatAgentId: chat.agentId, chatId: chat.chatId }),
    status: nextStatus(before, event),
    updatedDate: now,
  };
  await saveLoader(tx, row);
  const kept = new Set(fileIds(prepared.loaderConfig));
  const taken = files.map(({ id }) => id).filter((id) => kept.has(id));
  await adoptFiles(tx, taken, { storeId, loaderId: row.id, createdDate: now });
  if ((await listOpenJobs(tx, storeId)).length === 0) await deleteOtherFiles(tx, row.id, [...kept]);
  return { row, before };
}

/** The row of a loader that is not stored yet, unprocessed. */
export function loaderRowOf(
  prepared: PreparedLoader,
  { id, storeId, now }: { id: string; storeId: string; now: string },
): DocumentLoaderRow {
  const columns = columnsOf(prepared, undefined);
  return { ...emptyLoader, id, storeId, status: "NEW", createdDate: now, updatedDate: now, ...columns };
}

const emptyLoader = { chunkSet: "", totalChunks: 0, totalChars: 0, error: "", chatAgentId: "", chatId: "" };

function columnsOf(prepared: PreparedLoader, base: DocumentLoaderRow | undefined) {
  const { identity, source, loader, loaderConfig, splitter, metadata, loaderName } = prepared;
  return {
    identity,
    source,
    loader,
    loaderConfig: JSON.stringify(loaderConfig),
    loaderName: loaderName ?? base?.loaderName ?? findLoaderType(loader).title,
    splitter: splitter?.name ?? base?.splitter ?? defaultSplitterName,
    splitterConfig: splitter ? JSON.stringify(splitter.config) : (base?.splitterConfig ?? "{}"),
    metadata: metadata ? JSON.stringify(metadata) : (base?.metadata ?? "{}"),
  };
}

type Placing = { config: JsonObject; uploads: readonly HeldFile[] };

/**
 * Moves inline files of the configuration to rows, replaced by their ids. Of two with the same name the newer one wins.
 */
async function placeFiles(
  context: StoreContext,
  { config, uploads }: Placing,
): Promise<{ config: JsonObject; newFiles: HeldFile[] }> {
  if (!Array.isArray(config.files)) return { config, newFiles: [] };
  const newFiles = [...uploads];
  const ids: string[] = [];
  for (const given of fileIds(config)) {
    const inline = parseDataUrlFile(given);
    const file = inline && toHeldFile(inline, context);
    if (file) newFiles.push(file);
    ids.push(file?.id ?? given);
  }
  const byName = new Map<string, string>();
  for (const id of ids) byName.set((await nameIn(context.database.read, newFiles)(id)) ?? id, id);
  const newest = new Set(byName.values());
  return { config: { ...config, files: ids.filter((id) => newest.has(id)) }, newFiles };
}

/** Condition for storing the loader: the files that it adds to are unchanged. */
function readingOf(base: DocumentLoaderRow | undefined, config: JsonObject): { readConfig?: string } {
  return base !== undefined && fileIds(config).length > 0 ? { readConfig: base.loaderConfig } : {};
}

function toHeldFile(file: NewFile, { ids }: StoreContext): HeldFile {
  const named = { name: toFileName(file.name), mime: file.mimeType };
  if (!("bytes" in file)) return { ...named, id: file.id, sizeBytes: file.sizeBytes, sha256: file.sha256 };
  return { ...named, id: ids.uuid(), sizeBytes: file.bytes.byteLength, bytes: file.bytes };
}

function nameIn(read: Handle, newFiles: readonly HeldFile[]) {
  return async (id: string): Promise<string | undefined> =>
    newFiles.find((file) => file.id === id)?.name ?? (await findFile(read, id))?.name;
}

/** Length of a text's beginning that tells people which text it is. */
const shownTextChars = 80;

/** The source for people: file names, an address, or the beginning of a text. */
async function readableSource(
  read: Handle,
  { config, source, newFiles }: { config: JsonObject; source: string; newFiles: readonly HeldFile[] },
): Promise<string> {
  const ids = fileIds(config);
  if (ids.length > 0) {
    const names = await Promise.all(ids.slice(0, 20).map(nameIn(read, newFiles)));
    return names.filter((name) => name !== undefined).join(", ");
  }
  if (typeof config.text !== "string") return source.slice(0, 500);
  const text = config.text.trim();
  return text.length <= shownTextChars ? text : `${text.slice(0, shownTextChars - 1).trimEnd()}…`;
}

/** The requested splitter, or the loader's own with the request's settings merged into its settings. */
function splitterOf(value: UpsertItem["splitter"], base: DocumentLoaderRow | undefined): PreparedLoader["splitter"] {
  const isOwn = base !== undefined && value && value.name === undefined;
  const own = isOwn && { name: base.splitter, config: { ...JSON.parse(base.splitterConfig), ...value.config } };
  const given = parseComponent("splitter", own || value);
  if (given === undefined) return undefined;
  const splitter = findSplitter(given.name);
  return { name: splitter.name, config: toJsonObject(splitter.parseConfig(given.config)) };
}

function metadataOf(value: UpsertItem["metadata"]): JsonObject | undefined {
  const metadata = value ? parseMetadata(value) : {};
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}

function credentialOf(given: { credential?: string } | undefined): JsonObject {
  return given?.credential === undefined ? {} : { credential: given.credential };
}

/** A text is stored in the loader's row, which is written and read at once. Files are stored in parts. */
function assertTypeable(text: unknown, storedText: unknown): void {
  if (typeof text !== "string" || text.length <= maxTypedCharacters || text === storedText) return;
  throw invalid(
    `Text sent directly is limited to ${maxTypedCharacters} characters. Upload it as a file, which can be longer.`,
  );
}

const maxTypedCharacters = 2_000_000;

function unknownLoader(id: string): WeftError {
  return invalid(`This document store has no loader with the id ${id}. Leave docId out to add one.`);
}

function invalid(reason: string): WeftError {
  return new WeftError("parameters-invalid", { params: { reason } });
}

type PreviewOptions = {
  /** The loader being changed, if any. */
  base: DocumentLoaderRow | undefined;
  /** Number of chunks shown; the others are only counted. -1: as many as possible. */
  count: number | undefined;
  services: LoaderServices;
  signal: AbortSignal;
};

const defaultCount = 20;
const maxCount = 1_000;

/** Loads and splits a prepared loader without storing anything. */
export async function previewLoader(
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

/** Adds unstored files to the stored ones. */
function withFiles(services: LoaderServices, files: PreparedLoader["files"]): LoaderServices {
  return {
    ...services,
    async readFile(id) {
      const file = files.find((one) => one.id === id);
      if (file === undefined || !("bytes" in file)) return services.readFile(id);
      const { name, mime: mediaType, sizeBytes, bytes } = file;
      return {
        name,
        mediaType,
        sizeBytes,
        async *parts() {
          yield new Uint8Array(bytes);
        },
      };
    },
  };
}
