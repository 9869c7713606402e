import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromPostgresText, toPostgresText } from "./connect-postgres.ts";

/** Texts full of the two characters that matter. */
const text = fc.string({
  unit: fc.constantFrom("\u0000", "\u0001", "\u0002", "\u0003", "a", "é", "😀"),
  maxLength: 12,
});

test("every text comes back as it was, and none holds what PostgreSQL refuses", () => {
  fc.assert(
    fc.property(text, (given) => {
      const stored = toPostgresText(given);
      assert.equal(stored.includes("\u0000"), false);
      assert.equal(fromPostgresText(stored), given);
    }),
  );
});

test("stored texts sort as the texts do", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const given = Buffer.compare(Buffer.from(a), Buffer.from(b));
      const stored = Buffer.compare(Buffer.from(toPostgresText(a)), Buffer.from(toPostgresText(b)));
      assert.equal(stored, given);
    }),
  );
});
