import { stopAfter } from "../../../server/src/testing/stop-after.ts";
import type { openTestPlatform, TestPlatform } from "../../../server/src/testing/test-platform.ts";
import { openPgvectorDatabase } from "../../../vector-stores/src/pgvector/testing/open-pgvector-database.ts";
import { createScriptedQdrant } from "../../../vector-stores/src/qdrant/testing/scripted-qdrant.ts";

type Test = Parameters<typeof openTestPlatform>[0];

export type VectorBackend = (t: Test) => Promise<{ allow: string; settings(platform: TestPlatform): Promise<object> }>;

/** What keeps the vectors: settings of a store, made for one test. */
const vectorBackends: Record<string, VectorBackend> = {
  embedded: async () => ({ allow: "", settings: async () => ({}) }),

  async pgvector(t) {
    const onEnd = stopAfter(t);
    const database = await openPgvectorDatabase();
    onEnd(() => database.close());
    const { hostname, port, username, pathname } = new URL(database.url);
    return {
      allow: `${hostname}:${port}`,
      async settings(platform) {
        const { id } = await platform.json<{ id: string }>("POST", "/credentials", {
          name: "Vectors",
          credentialName: "pgvector",
          plainDataObj: { user: username, password: "none" },
          hosts: [`${hostname}:${port}`],
        });
        const config = { host: hostname, port: Number(port), database: pathname.slice(1), credential: id };
        return { vectorStoreConfig: JSON.stringify({ name: "pgvector", config }) };
      },
    };
  },

  async qdrant(t) {
    const onEnd = stopAfter(t);
    const server = await createScriptedQdrant();
    onEnd(() => server.close());
    const vectorStoreConfig = JSON.stringify({ name: "qdrant", config: { url: server.url } });
    return { allow: new URL(server.url).host, settings: async () => ({ vectorStoreConfig }) };
  },
};

/** Those of this run: the embedded one, and in the long form all of them. Each keeps its contract in any form. */
export const testedBackends: readonly (readonly [name: string, open: VectorBackend])[] = Object.entries(
  vectorBackends,
).filter(([name]) => name === "embedded" || process.env.TEST_DATABASE === "postgres");
