import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { startPlatformProcess } from "../testing/platform-process.ts";
import { stopAfter } from "../testing/stop-after.ts";

/** After how many acknowledgements of a round the server is killed. */
const killAfter = [1, 71];

await forEachDatabase(({ createTestStorage }) => {
  it("keeps every create that it acknowledged when it is killed in the middle of 200", async (t) => {
    const onEnd = stopAfter(t);
    const { databaseUrl, dataDir } = await createTestStorage(t);
    const start = async () => {
      const platform = await startPlatformProcess({ env: { DATABASE_URL: databaseUrl }, dataDir });
      onEnd(() => platform.kill("SIGKILL"));
      return platform;
    };
    const acknowledged: string[] = [];
    let platform = await start();
    for (const count of killAfter) {
      const { call, kill } = platform;
      const enough = Promise.withResolvers<void>();
      const before = acknowledged.length;
      const creates = Array.from({ length: 200 }, async (_, index) => {
        const body = { name: `Agent ${index}`, flowData: "{}" };
        acknowledged.push((await call<{ id: string }>("POST", "/chatflows", body)).id);
        if (acknowledged.length === before + count) enough.resolve();
      });
      const settled = Promise.allSettled(creates);
      await enough.promise;
      await kill("SIGKILL");
      await settled;
      platform = await start();
      const stored = await platform.call<{ id: string }[]>("GET", "/chatflows");
      const ids = new Set(stored.map(({ id }) => id));
      assert.deepEqual(
        acknowledged.filter((id) => !ids.has(id)),
        [],
      );
    }
  });
});
