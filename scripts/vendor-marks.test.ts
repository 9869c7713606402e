import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { vendorMarks } from "../packages/builder/src/ui/vendor-marks.ts";
import { drawMarks, marksFile } from "./vendor-marks.ts";

test("the builder's marks are those that it names", () => {
  const marks = Object.keys(vendorMarks);
  assert.equal(readFileSync(marksFile, "utf8"), drawMarks(marks), "./weft marks");
  const names: string[] = Object.values(vendorMarks).flat();
  assert.equal(new Set(names).size, names.length, "a name has one mark");
});

test("a mark that does not exist is refused", () => {
  assert.throws(() => drawMarks(["no-such-vendor"]));
});
