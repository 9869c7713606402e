import { createIdSource, type Database } from "@weft/database";
import { assertIdle, createDeleteVectors, type DeleteVectors, openPlace } from "@weft/document-stores";
import { createAllowList, createEgressClient, createSecretVault } from "@weft/egress";
import { systemClock } from "@weft/run-host";
import { createVectorStores } from "@weft/vector-stores";
import type { Config } from "../config.ts";
import { createCredentialService, createSecretBox, openEncryptionKeys } from "../credentials/index.ts";
import { byStore, countVectors, findOrphans } from "./orphans.ts";

export type PurgeDeps = {
  database: Database;
  config: Config;
  /** Takes a sentence for the operator. */
  say(sentence: string): void;
};

/**
 * Removes the vectors of deleted loaders from the vector databases of all document stores, and says for each what it is
 * about to remove and how it went. A store that cannot be cleaned keeps no other from it.
 */
export async function purgeOrphans({ database, config, say }: PurgeDeps): Promise<void> {
  const stores = byStore(await findOrphans(database.read));
  for (const { id, name, vectors } of stores) {
    say(`Will remove ${countVectors(vectors)} of deleted loaders from the document store "${name}" (${id}).`);
  }
  if (stores.length === 0) return;
  const { deleteVectors, close } = await openDeletion(database, config);
  try {
    for (const { id, name, vectors, loaderIds } of stores) {
      try {
        for (const loaderId of loaderIds) {
          await deleteVectors(id, { loaderId, signal: AbortSignal.timeout(removalTimeoutMs) });
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

/** What removing takes of the platform: the vector databases, and the credentials that open them. */
async function openDeletion(
  database: Database,
  config: Config,
): Promise<{ deleteVectors: DeleteVectors; close(): Promise<void> }> {
  const { dataDir, egressAllow } = config;
  const vault = createSecretVault();
  const credentials = createCredentialService({
    database,
    clock: systemClock,
    ids: createIdSource(systemClock.now),
    secretBox: createSecretBox(await openEncryptionKeys(database, dataDir)),
    vault,
    operator: config,
  });
  const egress = createEgressClient({ allow: egressAllow, vault });
  const vectors = createVectorStores({
    database,
    databaseUrl: config.databaseUrl.reveal(),
    dataDir,
    readCredential: credentials.lend,
    reveal: vault.reveal,
    fetch: egress.fetch,
    permitsHost: createAllowList(egressAllow).permits,
  });
  return {
    deleteVectors: createDeleteVectors({
      database,
      backend: { open: (settings, name) => openPlace(vectors, settings, name) },
      jobs: { assertIdle },
    }),
    async close() {
      await vectors.close();
      await egress.close();
    },
  };
}
