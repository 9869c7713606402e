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
    assert.deepEqual(keys(stepsBefore({ steps }, { nodeKey: "b#1" })), ["start#0", "a#1", "b#0"]);
    assert.deepEqual(keys(stepsBefore({ steps }, { nodeKey: "b#0" })), ["start#0", "a#0"]);
    assert.deepEqual(keys(stepsBefore({ steps }, { nodeId: "b" })), ["start#0", "a#1", "b#0"]);
  });

  it("are all that finished where it did not run", () => {
    assert.deepEqual(keys(stepsBefore({ steps }, { nodeId: "new" })), ["start#0", "a#1", "b#1"]);
  });
});

describe("a changed output", () => {
  it("is text where the step answers in words, and its output says the same", () => {
    const pin = { output: { content: "Hi", usage: 3 }, text: "Hi", ports: ["out"] };
    assert.equal(pinToText(pin), "Hi");
    assert.deepEqual(withText(pin, "{bye"), { ...pin, text: "{bye", output: { content: "{bye", usage: 3 } });
  });

  it("is JSON otherwise, and nothing while that is not valid", () => {
    const pin = { output: { city: "Rome" }, text: '{"city":"Rome"}', json: { city: "Rome" } };
    assert.equal(pinToText(pin), '{\n  "city": "Rome"\n}');
    assert.deepEqual(withText(pin, '{"city":"Oslo"}'), { output: { city: "Oslo" }, json: { city: "Oslo" } });
    assert.deepEqual(withText({ output: 1 }, "null"), { output: null });
    assert.equal(withText(pin, "{city"), undefined);
  });
});
