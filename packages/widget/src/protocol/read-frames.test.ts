import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Frame } from "@weft/conversation";
import { readFrames } from "./read-frames.ts";

function streamOf(...pieces: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
}

async function read(stream: ReadableStream<Uint8Array>): Promise<Frame[]> {
  return await Array.fromAsync(readFrames(stream));
}

const text =
  'id:r:1\nmessage:\ndata:{"event":"token","data":"Grüße"}\n\n:heartbeat\n\nid:r:2\ndata: {"event":"end","data":"[DONE]"}\n\n';
const frames = [
  { id: "r:1", event: "token", data: "Grüße" },
  { id: "r:2", event: "end", data: "[DONE]" },
];

describe("reading a stream of frames", () => {
  it("gives the same frames wherever the bytes are cut", async () => {
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      assert.deepEqual(await read(streamOf(bytes.slice(0, cut), bytes.slice(cut))), frames, `cut at ${cut}`);
    }
  });

  it("takes either kind of line end, and leaves a frame out that never ended", async () => {
    assert.deepEqual(await read(streamOf(text.replaceAll("\n", "\r\n"))), frames);
    assert.deepEqual(await read(streamOf(text, 'id:r:3\ndata:{"event":"token","data":"x"}\n')), frames);
  });

  it("rejects when the line breaks, and cancels what nobody reads", async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new TypeError("cut")) });
    await assert.rejects(read(broken), /cut/);
    let isCancelled = false;
    const open = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      cancel() {
        isCancelled = true;
      },
    });
    for await (const frame of readFrames(open)) {
      assert.equal(frame.id, "r:1");
      break;
    }
    assert.equal(isCancelled, true);
  });
});
