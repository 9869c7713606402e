import type { Database, Tables } from "@weft/database";
import { type DocumentStoreStatus, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { DocumentLoaderRow, DocumentStoreRow, LoaderStatus } from "../tables.ts";

type Handle = Kysely<Tables>;

/** In the order in which they were added. */
export function listLoaders(db: Handle, storeIds: readonly string[]): Promise<DocumentLoaderRow[]> {
  if (storeIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("documentLoaders")
    .selectAll()
    .where("storeId", "in", storeIds)
    .orderBy("createdDate")
    .orderBy("id")
    .execute();
}

/** As `listLoaders`, without fields that may be large: a configuration holds whole texts. */
export function listLoaderStates(db: Handle, storeId: string) {
  return db
    .selectFrom("documentLoaders")
    .select(["id", "status", "chunkSet"])
    .where("storeId", "=", storeId)
    .orderBy("createdDate")
    .orderBy("id")
    .execute();
}

export function findLoader(db: Handle, storeId: string, id: string): Promise<DocumentLoaderRow | undefined> {
  return db
    .selectFrom("documentLoaders")
    .selectAll()
    .where("id", "=", id)
    .where("storeId", "=", storeId)
    .executeTakeFirst();
}

/** Rejects with `not-found`. */
export async function getLoader(db: Handle, storeId: string, id: string): Promise<DocumentLoaderRow> {
  const loader = await findLoader(db, storeId, id);
  if (loader === undefined) throw new WeftError("not-found", { params: { resource: "loader", id } });
  return loader;
}

export function findLoaderByIdentity(
  db: Handle,
  storeId: string,
  identity: string,
): Promise<DocumentLoaderRow | undefined> {
  return db
    .selectFrom("documentLoaders")
    .selectAll()
    .where("storeId", "=", storeId)
    .where("identity", "=", identity)
    .orderBy("createdDate")
    .orderBy("id")
    .executeTakeFirst();
}

/** Inserts or replaces it. */
export async function saveLoader(tx: Handle, row: DocumentLoaderRow): Promise<void> {
  const { id: _, storeId: _store, createdDate: _created, ...changes } = row;
  await tx
    .insertInto("documentLoaders")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}

export async function updateLoader(
  tx: Handle,
  { id, ...changes }: Partial<DocumentLoaderRow> & { id: string },
): Promise<void> {
  await tx.updateTable("documentLoaders").set(changes).where("id", "=", id).execute();
}

/** The configuration of a loader, locked until the transaction ends. Undefined if it was deleted. */
export async function holdConfig(tx: Handle, id: string): Promise<string | undefined> {
  const held = await tx
    .updateTable("documentLoaders")
    .set((eb) => ({ id: eb.ref("id") }))
    .where("id", "=", id)
    .returning("loaderConfig")
    .executeTakeFirst();
  return held?.loaderConfig;
}

/** Including its chunks, their fingerprints and files. The vectors stay, as do their records in the record manager. */
export async function deleteLoader(tx: Handle, id: string): Promise<void> {
  await tx.deleteFrom("documentChunks").where("loaderId", "=", id).execute();
  await tx.deleteFrom("documentFingerprints").where("loaderId", "=", id).execute();
  await tx.deleteFrom("documentFiles").where("loaderId", "=", id).execute();
  await tx.deleteFrom("documentLoaders").where("id", "=", id).execute();
}

/**
 * Outdates loaders whose vectors are not where the store's settings now point. For the transaction that changes them.
 */
export async function outdateLoaders(tx: Handle, before: DocumentStoreRow, after: DocumentStoreRow): Promise<void> {
  const isSame =
    before.embeddingConfig === after.embeddingConfig && before.vectorStoreConfig === after.vectorStoreConfig;
  if (isSame) return;
  for (const { id, status } of await listLoaderStates(tx, before.id)) {
    if (status === "UPSERTED") await updateLoader(tx, { id, status: nextStatus(status, "changed") });
  }
}

/** Applies an event to the loaders of a store, or only to those with these ids. */
export async function changeLoaders(
  database: Database,
  storeId: string,
  { event, only }: { event: LoaderEvent; only?: ReadonlySet<string> },
): Promise<void> {
  const change = async (tx: Handle) => {
    for (const { id, status } of await listLoaderStates(tx, storeId)) {
      if (only?.has(id) === false) continue;
      const next = nextStatus(status, event);
      if (next !== status) await updateLoader(tx, { id, status: next });
    }
  };
  await database.write(change, { isolation: "read-committed" });
}

/** Status of one loader. Source: contract, "Document store status". */

/** What happens to a loader. */
export type LoaderEvent =
  /** Its configuration, its source, one of its chunks, or the vectors' collection changed. */
  | "changed"
  | "processing"
  | "processed"
  | "upserting"
  | "upserted"
  /** Its vectors were deleted. */
  | "vectors-deleted";

/**
 * All transitions: event, state before, state after. Excludes failure, which restores the state before the processing
 * or upsert.
 */
const transitions: Readonly<Record<LoaderEvent, (before: LoaderStatus) => LoaderStatus>> = {
  // A loader that was never processed has nothing to outdate.
  changed: (before) => (before === "SYNC" || before === "UPSERTED" ? "STALE" : before),
  processing: () => "SYNCING",
  processed: () => "SYNC",
  upserting: () => "UPSERTING",
  upserted: () => "UPSERTED",
  "vectors-deleted": (before) => (before === "UPSERTED" ? "SYNC" : before),
};

export function nextStatus(status: LoaderStatus, event: LoaderEvent): LoaderStatus {
  return transitions[event](status);
}

/** Status of a store: that of the loader with the most work left. */
export function storeStatus(loaders: readonly { status: string }[]): DocumentStoreStatus {
  if (loaders.length === 0) return "EMPTY";
  const present = new Set(loaders.map(({ status }) => status));
  const mostToDo = ["UPSERTING", "SYNCING", "STALE", "NEW", "SYNC"] as const;
  return mostToDo.find((status) => present.has(status)) ?? "UPSERTED";
}
