import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ExecutionStep } from "@weft/client";
import { pinToText, stepsBefore, withText } from "./changed-outputs.ts";

const step = (nodeKey: string, status: ExecutionStep["status"] = "FINISHED") =>
  ({ nodeKey, nodeId: nodeKey.slice(0, -2), status }) as ExecutionStep;

const steps = [step("start#0"), step("a#0"), step("b#0"), step("a#1"), step("b#1"), step("c#0", "INPROGRESS")];
const keys = (found: readonly ExecutionStep[]) => found.map(({ nodeKey }) => nodeKey);

describe("steps before another", () => {
  it("are those that had finished, each with its last execution until then", () => {
    assert.deepEqual(keys(stepsBefore(steps, { nodeKey: "b#1" })), ["start#0", "a#1", "b#0"]);
    assert.deepEqual(keys(stepsBefore(steps, { nodeKey: "b#0" })), ["start#0", "a#0"]);
    assert.deepEqual(keys(stepsBefore(steps, { nodeId: "b" })), ["start#0", "a#1", "b#0"]);
  });

  it("are all that finished where it did not run", () => {
    assert.deepEqual(keys(stepsBefore(steps, { nodeId: "new" })), ["start#0", "a#1", "b#1"]);
  });
});

describe("a changed output", () => {
  it("is text where the step answers in words, and its output says the same", () => {
    const pin = { output: { content: "Hi", usage: 3 }, text: "Hi", ports: ["out"] };
    assert.equal(pinToText(pin), "Hi");
    assert.deepEqual(withText(pin, "{bye"), { ...pin, text: "{bye", output: { content: "{bye", usage: 3 } });
  });

  it("is JSON otherwise, and nothing while that is not valid", () => {
    const pin = { output: { city: "Rome" }, text: '{"city": "Rome"}', json: { city: "Rome" } };
    assert.equal(pinToText(pin), '{\n  "city": "Rome"\n}');
    assert.deepEqual(withText(pin, '{"city":"Oslo"}'), {
      output: { city: "Oslo" },
      text: '{"city":"Oslo"}',
      json: { city: "Oslo" },
    });
    assert.deepEqual(withText({ output: 1 }, "null"), { output: null });
    assert.equal(withText(pin, "{city"), undefined);
  });

  it("of an answer that is data is the whole output, and its text says the same", () => {
    const data = { name: "Spring" };
    const pin = { output: { status: 200, data }, text: '{"name":"Spring"}' };
    assert.match(pinToText(pin), /"status": 200/);
    const typed = '{"status":200,"data":{"name":"Autumn"}}';
    assert.deepEqual(withText(pin, typed), { output: JSON.parse(typed), text: '{"name":"Autumn"}' });
    const words = { output: { status: 200, data: "Hi" }, text: "Hi" };
    assert.equal(withText(words, '{"status":200,"data":"Bye"}')?.text, "Bye");
  });

  it("is the same in a tool's text and in its data, whichever was changed", () => {
    const pin = { output: { content: '{"n":1}', data: { n: 1 }, isError: false }, text: '{"n":1}' };
    const change = (part: object) => withText(pin, JSON.stringify({ ...pin.output, ...part }));
    const changed = { output: { content: '{"n":2}', data: { n: 2 }, isError: false }, text: '{"n":2}' };
    assert.deepEqual(change({ data: { n: 2 } }), changed);
    assert.deepEqual(change({ content: '{"n":2}' }), changed);
    assert.deepEqual(change({ content: "none" })?.output, { content: "none", data: "none", isError: false });
    const large = change({ data: "long".repeat(3) });
    assert.equal(large?.text, "longlonglong");
  });

  it("can be the whole output of an answer in words", () => {
    const pin = { output: { content: "Hi", sourceDocuments: [] }, text: "Hi" };
    assert.match(pinToText(pin, "json"), /sourceDocuments/);
    const output = { content: "Bye", sourceDocuments: [{ pageContent: "p" }] };
    assert.deepEqual(withText(pin, JSON.stringify(output), "json"), { output, text: "Bye" });
    assert.deepEqual(withText({ output: "Hi", text: "Hi" }, "Bye"), { output: "Bye", text: "Bye" });
    assert.deepEqual(withText(pin, '{"content":3}', "json"), { output: { content: 3 } });
  });
});
