import type { TestContext } from "node:test";
import type { Database } from "@weft/database";
import type { VectorCollection } from "@weft/engine/ports/vector-store";
import type { CleanUp, TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { createEmbeddedStore, type EmbeddedStoreOptions } from "../embedded/embedded-store.ts";
import type { VectorStoreServices } from "../port/define-vector-store.ts";
import { createScriptedQdrant } from "../qdrant/testing/scripted-qdrant.ts";

/** What stores use of the platform: no credentials, and the network as it is. */
export const services: VectorStoreServices = { readCredential: async () => undefined, fetch: globalThis.fetch };

export type EmbeddedBench = {
  database: Database;
  store: ReturnType<typeof createEmbeddedStore>;
  /** A collection for vectors of that length. */
  open(collection: string, dimension: number, embedderId?: string): Promise<VectorCollection>;
};

/** The embedded store over a new database, closed after the test. */
export async function openEmbeddedStore(
  t: CleanUp,
  { createTestStorage }: Pick<TestDatabases, "createTestStorage">,
  options: Partial<Pick<EmbeddedStoreOptions, "memoryBytes" | "toldRows" | "onLoading" | "idleMs">> = {},
): Promise<EmbeddedBench> {
  const storage = await createTestStorage(t);
  const database = await storage.open();
  const store = createEmbeddedStore({ ...storage, ...options, database });
  t.after(store.close);
  return {
    database,
    store,
    open: (collection, dimension, embedderId = "test") =>
      store.definition.open({}, { collection, embedderId, dimension }, services),
  };
}

/** A scripted Qdrant, closed after the test, and a `fetch` that counts the calls. */
export async function startQdrant(t: TestContext) {
  const server = await createScriptedQdrant();
  t.after(() => server.close().catch(() => {}));
  let count = 0;
  const fetch: typeof globalThis.fetch = (...call) => {
    count += 1;
    return globalThis.fetch(...call);
  };
  return { server, fetch, calls: () => count };
}
