import { after } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { services } from "../testing/bench.ts";
import { describeVectorStore } from "../testing/vector-store-contract.ts";
import { createEmbeddedStore } from "./embedded-store.ts";

type Opened = { store: ReturnType<typeof createEmbeddedStore>; isClosed: boolean };

await forEachDatabase(({ name, createTestStorage }) => {
  /** One for all tests, whose collections have names of their own. */
  let opening: ReturnType<typeof openDatabase> | undefined;
  /** Stores that tests left open, with their threads: the next test goes on with them. */
  const resting: Opened[] = [];
  const closers: (() => Promise<void>)[] = [];
  after(async () => {
    for (const { store } of resting) await store.close();
    for (const close of closers.reverse()) await close();
  });
  async function openDatabase() {
    const storage = await createTestStorage({ after: (close) => void closers.push(close) });
    return { ...storage, database: await storage.open() };
  }
  const openStore = async () => {
    opening ??= openDatabase();
    return createEmbeddedStore(await opening);
  };

  describeVectorStore(`embedded, ${name}`, {
    async start(t) {
      const used: Opened[] = [];
      t.after(() => void resting.push(...used.filter(({ isClosed }) => !isClosed)));
      return {
        async createInstance() {
          const opened = resting.pop() ?? { store: await openStore(), isClosed: false };
          used.push(opened);
          return {
            open: (collection) => opened.store.definition.open({}, collection, services),
            async close() {
              opened.isClosed = true;
              await opened.store.close();
            },
          };
        },
      };
    },
  });
});
