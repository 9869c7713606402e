import assert from "node:assert/strict";
import { test } from "node:test";
import { startBench } from "./testing/bench.ts";

test("the model reads what its code prints and returns", async (t) => {
  const bench = await startBench(t);
  const run = async (code: string) => {
    const { content, isError = false } = await bench.call("code-interpreter", {}, { code });
    return { content, isError };
  };
  assert.deepEqual(await run("console.log('a', 1); return { sum: 0.1 + 0.2 }"), {
    content: 'a 1\n{"sum":0.30000000000000004}',
    isError: false,
  });
  assert.match((await run("1 + 1")).content, /returned nothing.*return/);
  assert.equal((await run("return await Promise.resolve('later')")).content, "later");
});

test("mistakes come back as errors that the model can act on", async (t) => {
  const bench = await startBench(t);
  const run = (code: string) => bench.call("code-interpreter", {}, { code });
  for (const [code, expected] of [
    ["return nope", /ReferenceError: .*nope/],
    ["return {", /SyntaxError/],
    ["console.log('before'); throw new TypeError('mine')", /^before\nTypeError: mine$/],
    ["return typeof fetch === 'undefined' && typeof process === 'undefined' ? 'alone' : 'not'", /^alone$/],
    ["return require('node:fs')", /no module fs/],
  ] as const) {
    const { content } = await run(code);
    assert.match(content, expected, code);
  }
});

test("libraries for data are there", async (t) => {
  const bench = await startBench(t);
  const code = "return require('lodash').sum([1, 2]) + require('dayjs')('2026-01-01').year()";
  assert.equal((await bench.call("code-interpreter", {}, { code })).content, "2029");
});

test("a long result is cut, and says so", async (t) => {
  const bench = await startBench(t);
  const { content } = await bench.call("code-interpreter", {}, { code: "return 'x'.repeat(50000)" });
  assert.ok(content.length < 21_000);
  assert.match(content, /Cut here/);
});
