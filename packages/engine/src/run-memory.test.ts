import assert from "node:assert/strict";
import { it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { completed, createTestProcess, testFlow } from "./testing/test-process.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Runs one flow, with a listener on its signal as every HTTP client leaves one, and forgets everything but a weak reference. */
async function runAndForget(): Promise<WeakRef<object>> {
  const process = createTestProcess({
    flow: testFlow("start>a", { a: { onFailure: { timeoutMs: 60_000 } } }),
    behaviours: {
      a: async (context) => {
        await context.effect(
          { key: "r", kind: "read", category: "http", name: "GET", input: null },
          async ({ signal }) => {
            signal.addEventListener("abort", () => context.nodeId);
            return 1;
          },
        );
        return completed("done");
      },
    },
    limits: { wallTimeMs: Number.POSITIVE_INFINITY },
  });
  const run = process.start();
  assert.equal(await run.done, "completed");
  return new WeakRef(run.state);
}

it("keeps nothing of a run that is over", async () => {
  const states: WeakRef<object>[] = [];
  for (let count = 0; count < 20; count += 1) states.push(await runAndForget());
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }
  const kept = states.filter((state) => state.deref() !== undefined);
  assert.ok(kept.length <= 1, `${kept.length} of ${states.length} runs are still in memory`);
});
