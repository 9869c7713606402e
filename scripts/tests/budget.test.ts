import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Budget, countCosts, judgeCosts } from "./budget.ts";
import type { FileOutcome } from "./run-files.ts";

const budget: Budget = { speedMs: 50, cpuSeconds: 100, packages: { "packages/engine": 60, scripts: 40 } };
const fileOf = (file: string, cpuSeconds: number): FileOutcome => ({
  file,
  cpuSeconds,
  results: [],
  problems: [],
  output: "",
  ms: 0,
});

/** A run in which the engine's tests and the scripts' cost so much. */
function judge(engine: number, scripts: number, speedsMs = [50, 51, 49, 50]) {
  const outcomes = [
    fileOf("packages/engine/src/a.test.ts", engine / 2),
    fileOf("packages/engine/src/b.test.ts", engine / 2),
    fileOf("scripts/c.test.ts", scripts),
  ];
  return judgeCosts(countCosts(outcomes, speedsMs), budget);
}

describe("the budget of the tests", () => {
  it("lets a run pass that costs as much as it says, or 5 % more", () => {
    assert.deepEqual(judge(60, 40), {
      isOver: false,
      lines: ["100 % of the budget: 100 of 100 processor seconds on this machine."],
    });
    assert.equal(judge(63, 41.5).isOver, false);
  });

  it("refuses one that costs more, and names the packages", () => {
    assert.equal(judge(63, 43).isOver, true);
    const { isOver, lines } = judge(50, 52);
    assert.equal(isOver, true);
    assert.deepEqual(lines.slice(1, 3), ["Over the budget of their package:", "  scripts: 52.0 of 40.0"]);
    assert.match(lines.at(-1) ?? "", /commit a new scripts\/tests\/budget\.json/);
  });

  it("allows a slower machine more, and a faster one less", () => {
    assert.equal(judge(120, 80, [100, 100, 101]).isOver, false);
    assert.equal(judge(60, 40, [40, 40, 41]).isOver, true);
  });

  it("judges nothing where other work used the machine", () => {
    const { isOver, lines } = judge(100, 100, [50, 50, 90, 95, 90]);
    assert.equal(isOver, false);
    assert.match(lines.at(-1) ?? "", /^Not judged/);
  });
});
