import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "./json.ts";
import { comparedNames, meetsCondition, metadataFilterSchema, readFilter } from "./metadata-filter.ts";

const problemOf = (filter: JsonObject) => {
  const read = readFilter(filter);
  return "problem" in read ? { path: read.problem.path.join("."), reason: read.problem.reason } : undefined;
};

function nested(levels: number): JsonObject {
  let filter: JsonObject = { a: 1 };
  for (let level = 0; level < levels; level += 1) filter = { $not: filter };
  return filter;
}

test("a filter that means nothing is refused with its place and a reason", () => {
  const cases: [JsonObject, string, RegExp][] = [
    [{ a: { $near: 1 } }, "a.$near", /Known operators: \$eq, \$ne, .*\$exists, \$and, \$or, \$not/],
    [{ $nor: [] }, "$nor", /Known operators/],
    [{ a: null }, "a", /text, a number or true or false/],
    [{ a: ["x"] }, "a", /\$in/],
    [{ a: {} }, "a", /compares with nothing/],
    [{ a: { $in: "x" } }, "a.$in", /list/],
    [{ a: { $in: "{{ x }}" } }, "a.$in", /list/],
    [{ a: { $in: [null] } }, "a.$in.0", /text, a number/],
    [{ a: { $gt: true } }, "a.$gt", /text or a number/],
    [{ a: { $exists: "yes" } }, "a.$exists", /true or false/],
    [{ $and: [] }, "$and", /at least one/],
    [{ $or: [{}] }, "$or.0", /must be a filter/],
    [{ $not: {} }, "$not", /must be a filter/],
    [nested(9), `${"$not.".repeat(9)}`.slice(0, -1), /8 levels/],
    [{ a: { $in: new Array(1_001).fill(1) } }, "a.$in", /1000 values/],
    [{ a: "x".repeat(2_001) }, "a", /2000 characters/],
    [{ ["n".repeat(201)]: 1 }, "n".repeat(201), /200 characters/],
    [Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, 1])), "", /100 comparisons/],
  ];
  for (const [filter, path, reason] of cases) {
    const problem = problemOf(filter);
    assert.equal(problem?.path, path, JSON.stringify(filter).slice(0, 80));
    assert.match(problem?.reason ?? "", reason);
  }
  for (const filter of [{}, nested(8), { a: { $in: [] } }]) assert.equal(problemOf(filter), undefined);
  assert.ok(metadataFilterSchema.safeParse({ a: { $in: "{{ x }}" } }).success, "a template stands for a list");
});

test("what nobody wrote down of metadata is absent, and names of every kind are names", () => {
  const meets = (metadata: JsonObject, filter: JsonObject) => {
    const read = readFilter(filter);
    assert.ok("condition" in read);
    return meetsCondition(metadata, read.condition);
  };
  const odd = JSON.parse('{"__proto__": "x", "toString": 1}') as JsonObject;
  assert.ok(meets(odd, JSON.parse('{"__proto__": "x", "toString": 1}') as JsonObject));
  assert.ok(!meets({}, { toString: { $exists: true } }));
  assert.ok(meets({ a: null }, { a: { $exists: false } }));
  assert.ok(meets({}, { a: { $ne: 1 } }));
  assert.ok(!meets({ a: "10" }, { a: { $gt: 9 } }));
  const read = readFilter({ a: 1, $or: [{ b: { $gt: 1 } }, { $not: { a: 2 } }], c: { $exists: true } });
  assert.deepEqual("condition" in read && comparedNames(read.condition), ["a", "b"]);
});
