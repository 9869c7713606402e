import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { parseFlowTests } from "./flow-test-file.ts";

const fileOf = (flowCase: object) => ({ cases: [{ name: "one", question: "Hello", ...flowCase }] });

describe("a flow test file", () => {
  it("reads the short form and several turns alike", () => {
    const parsed = parseFlowTests({
      now: "2026-03-02T08:30:00Z",
      cases: [
        { name: "short", question: "Hello", expect: { answer: "Hi", tools: ["look"] } },
        { name: "long", now: "2026-03-03T00:00:00+01:00", turns: [{ form: { a: 1 } }, { human: { type: "reject" } }] },
      ],
    });
    assert.ok(parsed.ok);
    const [short, long] = parsed.file.cases;
    const expect = { answer: { equals: "Hi" }, tools: [{ tool: "look" }] };
    assert.deepEqual(short, {
      name: "short",
      nowMs: Date.UTC(2026, 2, 2, 8, 30),
      turns: [{ question: "Hello", expect }],
    });
    assert.equal(long?.nowMs, Date.UTC(2026, 2, 2, 23));
    assert.deepEqual(long?.turns, [
      { form: { a: 1 }, expect: {} },
      { human: { type: "reject" }, expect: {} },
    ]);
  });

  it("is as the documentation shows it", async () => {
    const page = await readFile(new URL("../../../../docs/flow-tests.md", import.meta.url), "utf8");
    const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const parsed = parseFlowTests(parse(example));
    assert.ok(parsed.ok, JSON.stringify(parsed));
    assert.equal(parsed.file.cases.length, 3);
  });

  const mistakes: Record<string, [content: unknown, sentence: RegExp]> = {
    "no object": ["cases", /^The file: /],
    "no case": [{ cases: [] }, /^cases: /],
    "a misspelt expectation": [fileOf({ expect: { awnser: "Hi" } }), /^cases\[0\]\.expect: .*awnser/],
    "a broken pattern": [fileOf({ expect: { answer: { matches: "(" } } }), /^cases\[0\]\.expect\.answer/],
    "two messages": [fileOf({ form: {} }), /^cases\[0\]: needs either turns, or one message/],
    "turns beside a message": [fileOf({ turns: [{ question: "Hello" }] }), /^cases\[0\]: needs either turns/],
    "a turn that says nothing": [
      { cases: [{ name: "one", turns: [{ expect: {} }] }] },
      /^cases\[0\]\.turns\[0\]: needs exactly one of question, form and human/,
    ],
    "one name twice": [{ cases: [fileOf({}).cases[0], fileOf({}).cases[0]] }, /^cases: has two cases of one name/],
    "no moment": [{ ...fileOf({}), now: "yesterday" }, /^now: /],
  };
  for (const [name, [content, sentence]] of Object.entries(mistakes)) {
    it(`refuses ${name} with a sentence that names the place`, () => {
      const parsed = parseFlowTests(content);
      assert.ok(!parsed.ok);
      assert.match(parsed.mistakes[0] ?? "", sentence);
      assert.match(parsed.mistakes[0] ?? "", /\.$/);
    });
  }
});
