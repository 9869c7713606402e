import assert from "node:assert/strict";
import { test } from "node:test";
import { type SendProgress, type SliceReceiver, sendInSlices } from "./send-in-slices.ts";

const kib = 1_024;
const file = new Blob([new Uint8Array(5_000 * kib).map((_, at) => at % 251)]);

/** Keeps what arrives, and fails as `failAt` says of each slice, before or after it has arrived. */
function createReceiver(failAt: (count: number, slice: Blob) => "before" | "after" | Error | undefined) {
  const arrived: Blob[] = [];
  const sizes: number[] = [];
  const lost = new TypeError("fetch failed");
  const size = () => arrived.reduce((sum, part) => sum + part.size, 0);
  const receiver: SliceReceiver = {
    async send(slice, offset) {
      assert.equal(offset, size(), "a slice begins where the file stands");
      sizes.push(slice.size);
      const failure = failAt(sizes.length, slice);
      if (failure instanceof Error) throw failure;
      if (failure === "before") throw lost;
      arrived.push(slice);
      if (failure === "after") throw lost;
      return size();
    },
    arrivedBytes: async () => size(),
    toFailure: (error) =>
      error === lost ? "lost" : Object(error).message === "too large" ? "slice-too-large" : "refused",
  };
  return { receiver, sizes, arrived };
}

async function send(receiver: SliceReceiver, { from = 0, signal = new AbortController().signal, tookMs = 0 } = {}) {
  const progress: SendProgress[] = [];
  const pauses: number[] = [];
  let nowMs = 0;
  const now = () => {
    nowMs += tookMs;
    return nowMs;
  };
  await sendInSlices(file, receiver, {
    ...{ from, signal, now },
    onProgress: (one) => progress.push(one),
    pause: async (ms) => void pauses.push(ms),
  });
  return { progress, pauses };
}

test("slices grow while the line is fast, and the whole file arrives", async () => {
  const { receiver, sizes, arrived } = createReceiver(() => undefined);
  const { progress } = await send(receiver);
  assert.deepEqual(
    sizes.map((bytes) => bytes / kib),
    [512, 1_024, 2_048, 1_416],
  );
  assert.deepEqual(progress.at(-1), { sentBytes: file.size, isLost: false });
  assert.deepEqual(await new Blob(arrived).bytes(), await file.bytes());
});

test("slices shrink on a slow line", async () => {
  const { receiver, sizes } = createReceiver(() => undefined);
  await send(receiver, { tookMs: 5_000, from: 0 });
  assert.deepEqual(
    sizes.slice(0, 5).map((bytes) => bytes / kib),
    [512, 256, 128, 64, 64],
  );
});

test("a lost connection is tried again until the receiver answers, and goes on where it stands", async () => {
  const failures = ["before", "before", "after", undefined, "after"] as const;
  const { receiver, arrived } = createReceiver((count) => failures[count - 1]);
  const { progress, pauses } = await send(receiver);
  assert.deepEqual(await new Blob(arrived).bytes(), await file.bytes());
  assert.deepEqual(pauses, [500, 1_000, 2_000, 500]);
  assert.deepEqual(progress[0], { sentBytes: 0, isLost: true });
  assert.equal(progress.at(-1)?.isLost, false);
});

test("slices stay below what a proxy refuses", async () => {
  const { receiver, sizes, arrived } = createReceiver((_, slice) =>
    slice.size > 600 * kib ? new Error("too large") : undefined,
  );
  const { pauses } = await send(receiver);
  assert.deepEqual(await new Blob(arrived).bytes(), await file.bytes());
  assert.deepEqual(
    sizes.slice(0, 4).map((bytes) => bytes / kib),
    [512, 1_024, 512, 512],
  );
  assert.deepEqual(pauses, []);
});

test("what the receiver refuses ends it, and so does the signal while the connection is lost", async () => {
  const refusing = createReceiver((count) => (count === 2 ? new Error("not a database") : undefined));
  await assert.rejects(send(refusing.receiver), /not a database/);
  const tiny = createReceiver(() => new Error("too large"));
  await assert.rejects(send(tiny.receiver), /too large/);
  const controller = new AbortController();
  const breaking = createReceiver((count) => {
    if (count === 3) controller.abort(new Error("stopped"));
    return "before";
  });
  await assert.rejects(send(breaking.receiver, { signal: controller.signal }), /stopped/);
  assert.equal(breaking.sizes.length, 3);
});

test("an upload that was begun before goes on", async () => {
  const { receiver, sizes, arrived } = createReceiver(() => undefined);
  arrived.push(file.slice(0, 4_900 * kib));
  await send(receiver, { from: 4_900 * kib });
  assert.deepEqual(sizes, [100 * kib]);
});
