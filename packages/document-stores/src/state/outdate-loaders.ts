import type { Database, DocumentStoreRow, Tables } from "@weft/database";
import type { Kysely } from "kysely";
import { listLoaderStates, updateLoader } from "./loader.store.ts";
import { type LoaderEvent, type LoaderStatus, nextStatus } from "./loader-status.ts";

/** Loaders whose vectors are elsewhere than the store's settings say now. For the transaction that changes them. */
export async function outdateLoaders(
  tx: Kysely<Tables>,
  before: DocumentStoreRow,
  after: Pick<DocumentStoreRow, "embeddingConfig" | "vectorStoreConfig">,
): Promise<void> {
  const isSame =
    before.embeddingConfig === after.embeddingConfig && before.vectorStoreConfig === after.vectorStoreConfig;
  if (isSame) return;
  for (const { id, status } of await listLoaderStates(tx, before.id)) {
    if (status === "UPSERTED") await updateLoader(tx, { id, status: nextStatus(status as LoaderStatus, "changed") });
  }
}

/** What happened to the loaders of a store, or only to those with these ids. */
export async function changeLoaders(
  database: Database,
  storeId: string,
  { event, only }: { event: LoaderEvent; only?: ReadonlySet<string> },
): Promise<void> {
  const change = async (tx: Kysely<Tables>) => {
    for (const { id, status } of await listLoaderStates(tx, storeId)) {
      if (only?.has(id) === false) continue;
      const next = nextStatus(status as LoaderStatus, event);
      if (next !== status) await updateLoader(tx, { id, status: next });
    }
  };
  await database.write(change, { isolation: "read-committed" });
}
