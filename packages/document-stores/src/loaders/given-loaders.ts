import { isDeepStrictEqual } from "node:util";
import type { Tables } from "@weft/database";
import { type GivenLoader, type Json, type JsonObject, toJsonObject, type UpsertItem } from "@weft/schema";
import type { Kysely } from "kysely";
import { fileIds } from "../files/document-files.ts";
import { type Copies, noCopies } from "../files/find-copies.ts";
import { listLoaders } from "../state/loader.store.ts";
import type { StoreContext } from "../store-context.ts";
import type { DocumentFileRow, DocumentLoaderRow } from "../tables.ts";
import { type PreparedLoader, prepareLoader, storeLoader } from "./prepare-loader.ts";

/** What a loader is shown with. */
export type LoaderCompany = { files?: readonly DocumentFileRow[] | undefined; copies?: Copies | undefined };

/** A loader under the names that existing clients use. */
export function toLoaderView(row: DocumentLoaderRow, { files = [], copies = noCopies }: LoaderCompany): JsonObject {
  const loaderConfig: JsonObject = JSON.parse(row.loaderConfig);
  const ids = new Set(fileIds(loaderConfig));
  return {
    id: row.id,
    storeId: row.storeId,
    loaderId: row.loader,
    loaderName: row.loaderName,
    loaderConfig,
    splitterId: row.splitter,
    splitterName: row.splitter,
    splitterConfig: JSON.parse(row.splitterConfig),
    metadata: JSON.parse(row.metadata),
    source: row.source,
    status: row.status,
    error: row.error,
    totalChunks: row.totalChunks,
    totalChars: row.totalChars,
    files: files
      .filter(({ id }) => ids.has(id))
      .map(({ id, name, mime, sizeBytes, createdDate }) => ({
        id,
        name,
        mimePrefix: mime,
        size: sizeBytes,
        uploaded: createdDate,
      })),
    sameAs: copies.sameAs,
    isCopy: copies.isCopy,
    createdDate: row.createdDate,
    updatedDate: row.updatedDate,
  };
}

/** A loader as lists and pages of chunks show it. */
export function toShortLoaderView(row: DocumentLoaderRow, company: LoaderCompany): JsonObject {
  return cutValues(toLoaderView(row, company));
}

function cutValues(loader: JsonObject): JsonObject {
  const cut = Object.entries(toJsonObject(loader.loaderConfig)).map(([key, value]) => [key, cutValue(value)]);
  return { ...loader, loaderConfig: Object.fromEntries(cut) };
}

function cutValue<T>(value: T): T | string {
  const isLong = typeof value === "string" && value.length > maxListedCharacters;
  return isLong ? `${value.slice(0, maxListedCharacters)}…` : value;
}

/** Longer configuration values are cut in lists; the loader itself has them in full. */
const maxListedCharacters = 500;

/** A loader of a store's `loaders`, ready to be stored under the id. */
export type PreparedGivenLoader = { id: string; prepared: PreparedLoader };

/**
 * Reads the loaders sent with a store. Unchanged ones are left out: clients send back what they have read. Rejects with
 * `parameters-invalid` for invalid ones.
 */
export async function prepareGivenLoaders(
  context: StoreContext,
  { storeId, given }: { storeId: string; given: readonly GivenLoader[] },
): Promise<PreparedGivenLoader[]> {
  if (given.length === 0) return [];
  const stored = new Map((await listLoaders(context.database.read, [storeId])).map((row) => [row.id, row]));
  const found: PreparedGivenLoader[] = [];
  for (const loader of given) {
    const base = stored.get(loader.id ?? "");
    const item = base === undefined ? toItem(loader) : changesOf(loader, base);
    if (item === undefined) continue;
    const prepared = await prepareLoader(context, { storeId, item });
    found.push({ id: base?.id ?? (await freeId(context, loader.id)), prepared });
  }
  return found;
}

/** Stores them unprocessed. For the transaction that holds the store. */
export async function storeGivenLoaders(
  tx: Kysely<Tables>,
  loaders: readonly PreparedGivenLoader[],
  { storeId, now }: { storeId: string; now: string },
): Promise<void> {
  for (const { id, prepared } of loaders) {
    await storeLoader(tx, prepared, { storeId, newId: id, now, event: "changed" });
  }
}

/** Converts a body with the names of existing clients to an item of an upsert. */
export function toItem({
  loaderId,
  loaderName,
  loaderConfig,
  splitterId,
  splitterConfig,
  metadata,
}: GivenLoader): UpsertItem {
  return {
    loaderName,
    metadata,
    ...(loaderId && { loader: { name: loaderId, config: loaderConfig ?? {} } }),
    ...(splitterId && { splitter: { name: splitterId, config: splitterConfig ?? {} } }),
  };
}

/** Fields that differ from the stored loader, whose long values lists show cut. */
function changesOf(given: GivenLoader, stored: DocumentLoaderRow): UpsertItem | undefined {
  const config: JsonObject = JSON.parse(stored.loaderConfig);
  const loader = given.loaderConfig && withoutCuts(given.loaderConfig, config);
  const isSame =
    isUnchanged(given.loaderId, stored.loader) &&
    isUnchanged(given.loaderName, stored.loaderName) &&
    isUnchanged(loader, config) &&
    isUnchanged(given.splitterId, stored.splitter) &&
    isUnchanged(given.splitterConfig, JSON.parse(stored.splitterConfig)) &&
    isUnchanged(given.metadata, JSON.parse(stored.metadata));
  if (isSame) return undefined;
  const { loaderId = stored.loader, splitterId = stored.splitter } = given;
  return { ...toItem({ ...given, loaderId, splitterId, loaderConfig: loader }), docId: stored.id };
}

function isUnchanged(given: unknown, stored: unknown): boolean {
  return given === undefined || given === null || isDeepStrictEqual(given, stored);
}

function withoutCuts(given: JsonObject, stored: JsonObject): JsonObject {
  const whole = Object.entries(given).map(([key, value]): [string, Json] => {
    const kept = stored[key];
    return [key, kept !== undefined && isDeepStrictEqual(value, cutValue(kept)) ? kept : value];
  });
  return Object.fromEntries(whole);
}

/** The loader's own id, unless another loader has it. */
async function freeId({ database, ids }: StoreContext, wanted: string | null | undefined): Promise<string> {
  if (!wanted) return ids.uuid();
  const taken = await database.read
    .selectFrom("documentLoaders")
    .select("id")
    .where("id", "=", wanted)
    .executeTakeFirst();
  return taken === undefined ? wanted : ids.uuid();
}
