// @process browser: a document in place of globals of Node.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Execution, ExecutionStep } from "@weft/client";
import { readTrace } from "./download-trace.tsx";

const cut = "abc… (cut: 99 characters in all)";
const stepOf = (nodeKey: string, output: string, effects: object[] = []) =>
  ({ nodeKey, input: null, output, effects }) as unknown as ExecutionStep;

test("a trace has the whole values of steps that lists cut, also in their calls", async () => {
  const asked: (string | undefined)[] = [];
  const steps = [stepOf("a", cut), stepOf("b", "short"), stepOf("c", "", [{ input: cut, output: null }])];
  const trace = await readTrace("run", {
    async getExecution({ id, wholeStep }) {
      asked.push(wholeStep);
      const whole = steps.map((step) => (step.nodeKey === wholeStep ? stepOf(step.nodeKey, "whole") : step));
      return { id, steps: whole } as Execution;
    },
  });
  assert.deepEqual(asked, [undefined, "a", "c"]);
  assert.deepEqual(
    trace.steps.map(({ output }) => output),
    ["whole", "short", "whole"],
  );
});

test("a trace asks for the whole values of fifty steps at most", async () => {
  let asked = 0;
  const steps = Array.from({ length: 80 }, (_, index) => stepOf(`step_${index}`, cut));
  await readTrace("run", {
    async getExecution({ id }) {
      asked += 1;
      return { id, steps } as Execution;
    },
  });
  assert.equal(asked, 51);
});
