import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { createEventStream } from "./present-sse.ts";
import type { Frame } from "./stream-frames.ts";

const frame = (event: string, data: string): Frame => ({ id: "run:1", event, data });
const options = { heartbeatMs: 60_000, maxUnreadBytes: 1_000, pauseBytes: 100 };

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
