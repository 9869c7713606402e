import { createIdSource, type Database } from "@weft/database";
import { countOrphans, createDeleteVectors, type DeleteVectors } from "@weft/document-stores";
import { createAllowList, createEgressClient } from "@weft/egress";
import { systemClock } from "@weft/run-host";
import { createForeignPool } from "@weft/sql";
import { createVectorStores } from "@weft/vector-stores";
import type { Config } from "../config.ts";
import { openCredentials } from "../credentials/index.ts";
import { openVault } from "../vault.ts";

/**
 * Removes the vectors of deleted passages from the vector databases of all document stores, and announces and reports
 * each removal. A failing store does not stop the others. `say` receives a sentence for the operator.
 */
export async function purgeOrphans(database: Database, config: Config, say: (sentence: string) => void): Promise<void> {
  const stores = byStore(await countOrphans(database.read));
  for (const { id, name, vectors } of stores) {
    say(`Will remove ${countVectors(vectors)} of deleted passages from the document store "${name}" (${id}).`);
  }
  if (stores.length === 0) return;
  const { deleteVectors, close } = await openDeletion(database, config);
  try {
    for (const { id, name, vectors, loaderIds } of stores) {
      try {
        for (const loaderId of loaderIds) {
          await deleteVectors(id, { loaderId, orphansOnly: true, signal: AbortSignal.timeout(removalTimeoutMs) });
        }
        say(`Removed ${countVectors(vectors)} from "${name}".`);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        say(`Not everything could be removed from "${name}" (${id}): ${reason} Run it again afterwards.`);
      }
    }
  } finally {
    await close();
  }
}

/** Of one loader. */
const removalTimeoutMs = 600_000;

/** The dependencies of a removal: the vector databases, and the credentials that open them. */
async function openDeletion(
  database: Database,
  config: Config,
): Promise<{ deleteVectors: DeleteVectors; close(): Promise<void> }> {
  const { dataDir, encryptionKey: given, egressAllow } = config;
  const vault = openVault(config);
  const credentials = await openCredentials({
    database,
    keys: { dataDir, given },
    clock: systemClock,
    ids: createIdSource(systemClock.now),
    vault,
    operator: config,
  });
  const egress = createEgressClient({ allow: egressAllow, vault });
  const vectors = createVectorStores({
    database,
    databaseUrl: config.databaseUrl.reveal(),
    dataDir,
    readCredential: credentials.readPlaceholders,
    reveal: vault.reveal,
    fetch: egress.fetch,
    permitsHost: createAllowList(egressAllow).permits,
    openForeign: (place, maxConnections) => createForeignPool(place, { connect: egress.connect, maxConnections }),
  });
  return {
    deleteVectors: createDeleteVectors({ database, vectors }),
    async close() {
      await vectors.close();
      await egress.close();
    },
  };
}

/** Vectors of one loader's deleted passages. */
export type Orphans = Awaited<ReturnType<typeof countOrphans>>[number];

/** The same in one entry for each store. */
export function byStore(
  orphans: readonly Orphans[],
): { id: string; name: string; vectors: number; loaderIds: string[] }[] {
  return [...Map.groupBy(orphans, ({ storeId }) => storeId)].map(([id, of]) => ({
    id,
    name: of[0]?.storeName ?? "",
    vectors: of.reduce((sum, { vectors }) => sum + vectors, 0),
    loaderIds: of.map(({ loaderId }) => loaderId),
  }));
}

export function countVectors(count: number): string {
  return count === 1 ? "1 vector" : `${count} vectors`;
}
