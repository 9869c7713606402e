import { isDeepStrictEqual } from "node:util";
import type { DocumentLoaderRow, Tables } from "@weft/database";
import type { GivenLoader, Json, JsonObject, UpsertItem } from "@weft/schema";
import type { Kysely } from "kysely";
import { cutValue, listLoaders } from "../state/index.ts";
import { type PreparedLoader, type PrepareLoaderDeps, prepareLoader, storeLoader } from "./prepare-loader.ts";

/** A loader of a store's `loaders`, ready to be stored under the id. */
export type PreparedGivenLoader = { id: string; prepared: PreparedLoader };

/**
 * Reads the loaders that come with a store. One that says nothing else than what is stored is left out: clients send back
 * what they have read. Rejects with `parameters-invalid` for what does not fit.
 */
export async function prepareGivenLoaders(
  deps: PrepareLoaderDeps,
  { storeId, given }: { storeId: string; given: readonly GivenLoader[] },
): Promise<PreparedGivenLoader[]> {
  if (given.length === 0) return [];
  const stored = new Map((await listLoaders(deps.read, [storeId])).map((row) => [row.id, row]));
  const found: PreparedGivenLoader[] = [];
  for (const loader of given) {
    const base = stored.get(loader.id ?? "");
    const item = base === undefined ? toItem(loader) : changesOf(loader, base);
    if (item === undefined) continue;
    const prepared = await prepareLoader(deps, { storeId, item });
    found.push({ id: base?.id ?? (await freeId(deps, loader.id)), prepared });
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

/** A body with the names of existing clients, as an item of an upsert. */
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

/** What the loader says otherwise than it is stored, where lists show long values shortened. */
function changesOf(given: GivenLoader, stored: DocumentLoaderRow): UpsertItem | undefined {
  const config = JSON.parse(stored.loaderConfig) as JsonObject;
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
async function freeId({ read, newId }: PrepareLoaderDeps, wanted: string | null | undefined): Promise<string> {
  if (!wanted) return newId();
  const taken = await read.selectFrom("documentLoaders").select("id").where("id", "=", wanted).executeTakeFirst();
  return taken === undefined ? wanted : newId();
}
