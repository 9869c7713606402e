import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { services } from "../testing/bench.ts";
import { describeVectorStore } from "../testing/vector-store-contract.ts";
import { createEmbeddedStore } from "./embedded-store.ts";

await forEachDatabase(({ name, createTestStorage }) => {
  describeVectorStore(`embedded, ${name}`, {
    async start(t) {
      const closers: (() => Promise<void>)[] = [];
      t.after(async () => {
        for (const close of closers) await close();
      });
      const storage = await createTestStorage(t);
      const database = await storage.open();
      return {
        async createInstance() {
          const store = createEmbeddedStore({ ...storage, database });
          closers.push(store.close);
          return { open: (collection) => store.definition.open({}, collection, services), close: store.close };
        },
      };
    },
  });
});
