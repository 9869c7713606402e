import assert from "node:assert/strict";
import { test } from "node:test";
import { WeftError } from "@weft/schema";
import { readBodyBytes } from "./read-body.ts";

const limit = 32_000_000;

function send(pieces: Iterable<Uint8Array<ArrayBuffer>>, headers: Record<string, string> = {}): Request {
  return new Request("http://test/", { method: "POST", headers, body: ReadableStream.from(pieces), duplex: "half" });
}

test("a large body is read as it was sent", async () => {
  const pieces = Array.from({ length: 400 }, (_, index) => new Uint8Array(65_536).fill(index));
  const size = String(pieces.length * 65_536);
  for (const headers of [{}, { "content-length": size }]) {
    const bytes = await readBodyBytes(send(pieces, headers), limit);
    assert.equal(Buffer.compare(bytes, Buffer.concat(pieces)), 0);
  }
});

test("a body beyond the limit is refused while it comes in", async () => {
  let sent = 0;
  function* endless(): Generator<Uint8Array<ArrayBuffer>> {
    for (;;) {
      sent += 65_536;
      yield new Uint8Array(65_536);
    }
  }
  for (const headers of [{}, { "content-length": "1000000" }]) {
    sent = 0;
    const refusal = await readBodyBytes(send(endless(), headers), 1_000_000).catch((error: unknown) => error);
    assert.ok(refusal instanceof WeftError);
    assert.equal(refusal.code, "body-too-large");
    assert.ok(sent < 1_200_000);
  }
});
