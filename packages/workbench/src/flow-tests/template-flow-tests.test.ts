import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { describeReport } from "../commands/test-flows.ts";
import { runFlowTests } from "./run-flow-tests.ts";

const folder = fileURLToPath(new URL("../../../../templates/", import.meta.url));

describe("the flow tests of the templates", () => {
  for (const file of globSync("*/*.test.yaml", { cwd: folder }).sort()) {
    it(`${file} passes`, async () => {
      const report = await runFlowTests(`${folder}${file}`);
      assert.ok(report.cases.length > 2, "It has cases besides its findings.");
      assert.ok(
        report.cases.every(({ problems }) => problems.length === 0),
        describeReport(report),
      );
    });
  }
});
