import assert from "node:assert/strict";
import { test } from "node:test";
import { toBody } from "./to-response.ts";

test("a long text is sent in pieces that add up to it, and a short one as it is", async () => {
  assert.equal(toBody("short"), "short");
  for (const text of ["a".repeat(3_000_000), `x${"😀".repeat(1_000_000)}`, "😀".repeat(1_000_000)]) {
    const body = toBody(text);
    assert.ok(body instanceof ReadableStream);
    assert.ok((await new Response(body).text()) === text);
  }
  const reader = (toBody("a".repeat(3_000_000)) as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  assert.ok(value && value.length < 1_000_000);
});
