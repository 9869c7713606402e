import assert from "node:assert/strict";
import { test } from "node:test";
import { WeftError } from "@weft/schema";
import fc from "fast-check";
import { commonLimits } from "./json-limits.ts";
import { parseJson } from "./parse-json.ts";

const limits = { ...commonLimits, keys: 1_000, elements: 10_000, values: 20_000, characters: 1_000_000, depth: 64 };
/** So much that it is read in stretches. */
const padding = " ".repeat(70_000);
const parse = (text: string, more = {}) => parseJson(Buffer.from(text), { ...limits, ...more });

async function refusal(text: string, more = {}): Promise<Pick<WeftError, "code" | "status" | "errors" | "message">> {
  const error = await parse(text, more).then(
    () => assert.fail("it was taken"),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof WeftError, String(error));
  return error;
}

test("a large text means what the engine's own parser says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.nat(3), async (text, indent) => {
      const shown = JSON.stringify(JSON.parse(text), null, indent);
      assert.deepEqual(await parse(shown + padding), JSON.parse(shown));
    }),
    { numRuns: 200 },
  );
  const texts = [
    'é😀\\"\n\u2028'.repeat(40_000),
    "\\".repeat(140_001),
    `${"x".repeat(65_534)}é`,
    `${"x".repeat(65_533)}\\u00e9`,
  ];
  for (const value of [texts, { __proto__: null, a: texts[0] }, texts[1]]) {
    const text = JSON.stringify(value);
    assert.deepEqual(await parse(text), JSON.parse(text));
  }
  const escaped = `"${"\\ud83d\\ude00".repeat(20_000)}"`;
  assert.equal(await parse(escaped), JSON.parse(escaped));
  const odd = await parse(`{"__proto__":{"a":1}}${padding}`);
  assert.ok(Object.hasOwn(odd as object, "__proto__"));
  assert.deepEqual(await parse(`\ufeff[1]${padding}`), [1]);
});

test("a large text that is not JSON is refused as a small one is", async () => {
  const broken =
    '{"a":1,} [1\u00202] {"a"\u00201} [1,] {,} tru [tru] 01 - "a {"a":"\\x"} "a"b {"a":1] "\\u12" ] {"a":1}} 1e';
  for (const text of broken.split(" ")) {
    assert.equal((await refusal(text)).code, "body-unparsable", text);
    assert.equal((await refusal(text + padding)).code, "body-unparsable", `${text}, large`);
  }
  assert.equal((await refusal(`"a\u0001"${padding}`)).code, "body-unparsable");
  assert.equal((await refusal("1".repeat(100_000))).code, "body-unparsable");
  await assert.rejects(parseJson(Buffer.from([0x22, 0xff, 0x22]), limits), /UTF-8/);
});

test("what is beyond a limit is named, in small texts and large ones", async () => {
  const keys = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])));
  for (const space of ["", padding]) {
    for (const [text, path, unit] of [
      [`{"form":{"deep":${keys(1_001)}}}`, "form.deep", "1000 keys"],
      [`{"a":[${"1,".repeat(10_000)}1]}`, "a", "10000 elements"],
      [`[${`[${"1,".repeat(9_999)}1],`.repeat(3)}1]`, "", "20000 values"],
    ] as const) {
      const { code, status, errors, message } = await refusal(text + space);
      assert.deepEqual([code, status, errors[0]?.path], ["limit-exceeded", 422, path]);
      assert.ok(message.includes(unit), message);
    }
    assert.equal((await refusal("[".repeat(65) + "]".repeat(65) + space)).code, "body-too-deep");
    assert.ok(await parse("[".repeat(64) + "]".repeat(64) + space));
    assert.ok(await parse(keys(1_000) + space));
  }
  assert.equal((await refusal(`{${'"a":1,'.repeat(20_000)}"a":1}`)).errors[0]?.path, "", "keys that repeat count, too");
  const long = `{"question":"","uploads":[{"data":"${"A".repeat(1_500_000)}"}]}`;
  assert.equal((await refusal(long)).errors[0]?.path, "uploads.0.data");
  assert.ok(await parse(long, { longAt: ["uploads.*.data"] }));
});
