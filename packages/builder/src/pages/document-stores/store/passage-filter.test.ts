import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ConditionDraft,
  countConditions,
  type FilterDraft,
  noFilter,
  readFilterDraft,
  turnFilterDraft,
} from "./passage-filter.ts";

const fields = (...conditions: ConditionDraft[]): FilterDraft => ({ ...noFilter, conditions });
const json = (text: string): FilterDraft => ({ ...noFilter, kind: "json", text });

test("a condition is the filter itself, several are joined, and one without a name counts for nothing", () => {
  const source: ConditionDraft = { name: " source ", operator: "$eq", value: "a.md" };
  const year: ConditionDraft = { name: "year", operator: "$gte", value: "2024" };
  const empty: ConditionDraft = { name: " ", operator: "$eq", value: "x" };
  assert.deepEqual(readFilterDraft(noFilter), {});
  assert.deepEqual(readFilterDraft(fields(source, empty)), { filter: { source: "a.md" } });
  const both = { $and: [{ source: "a.md" }, { year: { $gte: 2024 } }] };
  assert.deepEqual(readFilterDraft(fields(source, year)), { filter: both });
  assert.equal(countConditions(fields(source, empty, year)), 2);
});

test("values are numbers and truth values where they look like it, and text in quotation marks", () => {
  const filterOf = (value: string, operator: ConditionDraft["operator"] = "$ne") =>
    readFilterDraft(fields({ name: "x", operator, value }))?.filter?.x;
  assert.deepEqual(filterOf("-1.5"), { $ne: -1.5 });
  assert.deepEqual(filterOf("true"), { $ne: true });
  assert.deepEqual(filterOf('"7"'), { $ne: "7" });
  assert.deepEqual(filterOf("007"), { $ne: "007" });
  assert.deepEqual(filterOf('a "b"'), { $ne: 'a "b"' });
  assert.deepEqual(filterOf('"a\\"'), { $ne: '"a\\"' });
  assert.deepEqual(filterOf('a, 2,, "b, c"', "$in"), { $in: ["a", 2, "b, c"] });
  assert.deepEqual(filterOf("whatever", "present"), { $exists: true });
  assert.deepEqual(filterOf("", "absent"), { $exists: false });
});

test("JSON is an object or nothing", () => {
  assert.deepEqual(readFilterDraft(json(" ")), {});
  assert.deepEqual(readFilterDraft(json('{"$or":[{"a":1}]}')), { filter: { $or: [{ a: 1 }] } });
  for (const text of ["{", "[]", "null", "1", '"a"']) assert.equal(readFilterDraft(json(text)), undefined);
});

test("fields become JSON, and come back as they were", () => {
  const draft = fields({ name: "year", operator: "$lt", value: "3" });
  const turned = turnFilterDraft(draft, "json");
  assert.deepEqual(JSON.parse(turned.text), { year: { $lt: 3 } });
  assert.deepEqual(turnFilterDraft(turned, "fields").conditions, draft.conditions);
  assert.equal(turnFilterDraft(json("{"), "fields").kind, "fields");
});
