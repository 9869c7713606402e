import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { describeReport } from "../commands/test-flows.ts";
import { runFlowTests } from "./run-flow-tests.ts";
import { demoFlowFiles, flowsFolder } from "./testing/demo-flows.ts";

describe("the flow tests of the project", () => {
  for (const file of globSync("*.test.{yaml,yml,json}", { cwd: flowsFolder })) {
    it(`${file} passes`, async () => {
      const report = await runFlowTests(join(flowsFolder, file));
      assert.ok(report.cases.length > 0);
      assert.ok(
        report.cases.every(({ problems }) => problems.length === 0),
        describeReport(report),
      );
    });
  }

  it("are about the demonstration agents as they are seeded", async () => {
    const files = await demoFlowFiles();
    assert.equal(files.size, 2);
    for (const [name, text] of files) {
      const committed = await readFile(join(flowsFolder, name), "utf8");
      assert.equal(
        committed,
        text,
        "Run node packages/workbench/src/flow-tests/testing/demo-flows-main.ts and record.",
      );
    }
  });
});
