// @process own: it measures its memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createPause } from "./places.ts";

// What the server is started with.
setFlagsFromString("--expose-gc");
globalThis.gc = runInNewContext("gc");

test("buffers that a loop has left behind are freed while it runs", async () => {
  const pause = createPause();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let count = 0; count < 1_000; count += 1) {
    const piece = new Uint8Array(65_536);
    await pause(piece.length);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  assert.ok(most < 8 * 1_024 ** 2, `${most} bytes were held of 64 MiB`);
});
