// @process own: it measures its memory.
import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createEventStream, type EventStream, type Frame } from "./event-stream.ts";

const frame = (event: string, data: string): Frame => ({ id: "run:1", event, data });
const options = { heartbeatMs: 60_000, maxUnreadBytes: 1_000, pauseBytes: 100, lingerMs: 60_000 };

function open(t: TestContext, more: Partial<typeof options> = {}) {
  const stream = createEventStream({ ...options, ...more });
  t.after(stream.cut);
  let overs = 0;
  stream.onceOver(() => {
    overs += 1;
  });
  return { stream, overs: () => overs };
}

it("ends with the frame end, and takes nothing more", async (t) => {
  const { stream, overs } = open(t);
  stream.send([frame("token", "a"), frame("end", "[DONE]")]);
  stream.send([frame("token", "late")]);
  stream.cut();
  const text = await stream.response.text();
  assert.equal(
    text,
    'id:run:1\nmessage:\ndata:{"event":"token","data":"a"}\n\nid:run:1\nmessage:\ndata:{"event":"end","data":"[DONE]"}\n\n',
  );
  assert.equal(overs(), 1);
  assert.equal(await stream.ready(), false);
});

it("drops a client that does not read, with what it left unread bounded", async (t) => {
  const { stream, overs } = open(t);
  let sent = 0;
  while (overs() === 0 && sent < 1_000) {
    stream.send([frame("token", "x".repeat(100))]);
    sent += 1;
  }
  assert.ok(sent < 12, `${sent} frames`);
  await assert.rejects(stream.response.text());
});

it("also by its heartbeats", async (t) => {
  const { stream, overs } = open(t, { heartbeatMs: 1 });
  stream.send([frame("token", "x".repeat(990))]);
  while (overs() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await assert.rejects(stream.response.text());
});

it("says when a client has read enough for more, and when it has gone", async (t) => {
  const { stream, overs } = open(t);
  assert.equal(await stream.ready(), true);
  stream.send([frame("token", "x".repeat(200))]);
  const reader = stream.response.body?.getReader();
  const ready = stream.ready();
  await reader?.read();
  assert.equal(await ready, true);
  stream.send([frame("token", "x".repeat(200))]);
  const gone = stream.ready();
  await reader?.cancel();
  assert.equal(await gone, false);
  assert.equal(overs(), 1);
});

it("keeps what a client has not read for it after the end, and nothing once it has", async (t) => {
  const { stream, overs } = open(t);
  let drains = 0;
  stream.onceDrained(() => {
    drains += 1;
  });
  stream.send([frame("token", "x".repeat(500)), frame("end", "[DONE]")]);
  assert.deepEqual([overs(), drains], [1, 0]);
  assert.match(await stream.response.text(), /\[DONE\]/);
  assert.equal(drains, 1);
});

it("keeps nothing for a client that does not read the rest in time, or goes", async (t) => {
  const late = open(t, { lingerMs: 1 }).stream;
  late.send([frame("token", "x".repeat(500)), frame("end", "[DONE]")]);
  await drained(late);
  await assert.rejects(late.response.text(), /broken off/);
  const gone = open(t).stream;
  gone.send([frame("token", "x".repeat(500)), frame("end", "[DONE]")]);
  await gone.response.body?.cancel();
  await drained(gone);
});

it("leaves nothing in memory of clients that never read", async (t) => {
  const size = 8 * 1024 * 1024;
  const kept = Array.from({ length: 8 }, () => open(t, { maxUnreadBytes: size, lingerMs: 1 }).stream);
  const before = keptBytes();
  for (const stream of kept) stream.send([frame("token", "x".repeat(size)), frame("end", "[DONE]")]);
  assert.ok(keptBytes() - before > 6 * size);
  await Promise.all(kept.map(drained));
  while (keptBytes() - before > size) {
    collectGarbage();
    await new Promise(setImmediate);
  }
  assert.equal(kept.length, 8);
});

function keptBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Its timer alone keeps no process alive. */
async function drained(stream: EventStream): Promise<void> {
  let isDrained = false;
  stream.onceDrained(() => {
    isDrained = true;
  });
  while (!isDrained) await new Promise(setImmediate);
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
