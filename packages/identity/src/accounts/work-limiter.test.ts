import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorkLimiter } from "./password-gate.ts";

test("a few run, some wait their turn in order, the rest is refused at once", async () => {
  const limiter = createWorkLimiter({ running: 2, waiting: 2 });
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const work = gates.map(({ promise }, index) =>
    limiter.run(async () => {
      started.push(index);
      await promise;
      if (index === 1) throw new Error("failed");
      return index;
    }),
  );
  const failed = assert.rejects(work[1] as Promise<number>, /failed/);
  await assert.rejects(work[4] as Promise<number>, { code: "rate-limited", status: 429, retryAfterSeconds: 5 });
  assert.deepEqual(started, [0, 1]);
  gates[1]?.resolve();
  await failed;
  await Promise.resolve();
  assert.deepEqual(started, [0, 1, 2]);
  for (const { resolve } of gates) resolve();
  assert.deepEqual(await Promise.all([work[0], work[2], work[3]]), [0, 2, 3]);
  assert.equal(await limiter.run(async () => "free again"), "free again");
});
