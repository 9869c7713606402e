import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCost } from "./format.ts";

test("small costs show four digits, larger ones cents, and what is too small to show is not 0", () => {
  const shown = [0, 0.00000069, 0.0021, 0.5, 1, 12.3, 1234.567].map(formatCost);
  assert.deepEqual(shown, ["$0.00", "<$0.0001", "$0.0021", "$0.5000", "$1.00", "$12.30", "$1,234.57"]);
});
