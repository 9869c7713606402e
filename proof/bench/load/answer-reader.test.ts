import assert from "node:assert/strict";
import { it } from "node:test";
import { AnswerReader, UnexpectedAnswer } from "./answer-reader.ts";

const whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const chunked =
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nc;x=1\r\n0\r\n\r\n, world\r\n0\r\n\r\n";

/** How many bytes of the answer it took until the reader called it complete, with so many bytes at once. */
function bytesRead(reader: AnswerReader, answer: string, atOnce: number): number {
  const bytes = Buffer.from(answer);
  for (let at = 0; at < bytes.length; at += atOnce) {
    if (reader.take(Buffer.from(bytes.subarray(at, at + atOnce)))) return Math.min(at + atOnce, bytes.length);
  }
  return Number.NaN;
}

for (const [name, answer] of Object.entries({ whole, chunked })) {
  it(`finds the end of an answer, ${name}, however it is cut`, () => {
    for (const atOnce of [1, 2, 3, 7, 1_000]) {
      const reader = new AnswerReader();
      for (let time = 0; time < 3; time += 1) {
        reader.reset();
        assert.equal(bytesRead(reader, answer, atOnce), answer.length, `${atOnce} at once, time ${time}`);
      }
    }
  });
}

it("notes when a text came, even cut in two", () => {
  const reader = new AnswerReader("hello");
  assert.equal(reader.take(Buffer.from(`${chunked.slice(0, chunked.indexOf("hello"))}hel`)), false);
  assert.equal(reader.markedAt, 0);
  reader.take(Buffer.from("lo\r\n"));
  assert.ok(reader.markedAt > 0);
  reader.reset();
  assert.equal(reader.markedAt, 0);
});

it("refuses an answer that is not 200, with its body", () => {
  const reader = new AnswerReader();
  const refusal = "HTTP/1.1 429 Too Many Requests\r\ntransfer-encoding: chunked\r\n\r\n4\r\nwait\r\n0\r\n\r\n";
  assert.throws(
    () => bytesRead(reader, refusal, 10),
    (error) => error instanceof UnexpectedAnswer && error.status === 429 && error.body === "wait",
  );
});
