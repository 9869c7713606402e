import assert from "node:assert/strict";
import { test } from "node:test";
import { readAuditSearch, toAuditFilter } from "./audit-search.ts";

test("the address gives the filters, and nothing else", () => {
  const search = { actor: "ada@example.com", action: "", thing: 7, from: "2026-11-30", other: "x" };
  assert.deepEqual(readAuditSearch(search), { actor: "ada@example.com", thing: "7", from: "2026-11-30" });
});

test("a day is the reader's own, and no day is asked for that is none", () => {
  const { from, to } = toAuditFilter({ from: "2026-11-30", until: "2026-11-30" });
  assert.equal(Date.parse(to ?? "") - Date.parse(from ?? ""), 86_399_999);
  assert.deepEqual(toAuditFilter({ action: "logIn", from: "tomorrow" }), { action: "logIn" });
});
