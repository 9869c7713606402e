import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readEvents } from "./read-events.ts";

const token = (data: string) => JSON.stringify({ event: "token", data });

describe("the events of an answer", () => {
  const cases: [name: string, pieces: (string | Uint8Array)[], expected: unknown[]][] = [
    [
      "one in pieces",
      ["id:r:1\nmess", `age:\ndata:${token("a").slice(0, 5)}`, `${token("a").slice(5)}\n`, "\n"],
      ["r:1 a"],
    ],
    ["several in one piece", [`id:1\ndata:${token("a")}\n\nid:2\ndata:${token("b")}\n\n`], ["1 a", "2 b"]],
    [
      "with other ends of lines",
      [`id: 1\r\ndata: ${token("a")}\r\n\r\nid:2\rdata:${token("b")}\r\r\n`],
      ["1 a", "2 b"],
    ],
    ["with heartbeats between", [`:\n\n: still here\n\ndata:${token("a")}\n\n:\n\n`], [" a"]],
    ["whose JSON takes several lines", ['id:1\ndata:{"event":"token",\ndata:"data":"a"}\n\n'], ["1 a"]],
    ["one that breaks off", [`id:1\ndata:${token("a")}\n\nid:2\ndata:${token("b")}\n`], ["1 a"]],
    [
      "a character across pieces",
      splitBytes(`data:${token("好")}\n\n`, '{"event":"token","data":"'.length + 6),
      [" 好"],
    ],
  ];
  for (const [name, pieces, expected] of cases) {
    test(name, async () => {
      const frames: string[] = [];
      for await (const { id, event, data } of readEvents(answerOf(pieces))) {
        assert.equal(event, "token");
        frames.push(`${id} ${data}`);
      }
      assert.deepEqual(frames, expected);
    });
  }

  test("what comes before data that is not JSON is still read", async () => {
    const frames: unknown[] = [];
    const read = async () => {
      for await (const frame of readEvents(answerOf([`data:${token("a")}\n\n`, "data:{\n\n"]))) frames.push(frame.data);
    };
    await assert.rejects(read(), SyntaxError);
    assert.deepEqual(frames, ["a"]);
  });
});

function answerOf(pieces: readonly (string | Uint8Array)[]): Response {
  return new Response(
    ReadableStream.from(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece))),
  );
}

function splitBytes(text: string, at: number): Uint8Array[] {
  const bytes = Buffer.from(text);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}
