// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { openProcessBench } from "../testing/process-bench.ts";

/** After how many acknowledgements of a round the server is killed. */
const killAfter = [1, 71];

await forEachDatabase((databases) => {
  it("keeps every create that it acknowledged when it is killed in the middle of 200", async (t) => {
    const { start } = await openProcessBench(t, databases);
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
