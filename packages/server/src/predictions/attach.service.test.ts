import assert from "node:assert/strict";
import { it } from "node:test";
import { createEventStream } from "@weft/http/event-stream";
import { createRunBroadcast } from "@weft/run-host";
import type { RunEvent } from "@weft/schema";
import { followHere } from "./attach.service.ts";
import type { FrameWriter } from "./stream-frames.ts";
import { openReader } from "./testing/stream-client.ts";

const runId = "00000000-0000-7000-8000-000000000001";

it("a run that this process loses and takes over again is followed in one way: no event comes twice", async () => {
  const broadcast = createRunBroadcast();
  const stream = createEventStream();
  const writer: FrameWriter = {
    events: (events) => events.map(({ seq, type }) => ({ id: `${runId}:${seq}`, event: type, data: "" })),
    delta: () => [],
    resume: () => [],
  };
  const continued: number[] = [];
  const goOn = (_stream: unknown, _writer: unknown, { afterSeq }: { afterSeq: number }) =>
    void continued.push(afterSeq);
  followHere({ broadcast, attach: { goOn } }, stream, { runId, writer, afterSeq: 0 });
  const commit = (seq: number) => {
    const event = { type: "run-suspended", seq, at: 0 } satisfies RunEvent;
    broadcast.committed(runId, [event]);
  };
  commit(1);
  broadcast.leave(runId);
  commit(2);
  broadcast.leave(runId);
  stream.end();
  const frames = await openReader(stream.response).read();
  assert.deepEqual(
    frames.map(({ id }) => id),
    [`${runId}:1`],
  );
  assert.deepEqual(continued, [1]);
  assert.equal(broadcast.isFollowed(runId), false);
});
