import assert from "node:assert/strict";
import { test } from "node:test";
import { numberQuestionMarks, readStatement } from "./statement.ts";

const engines = ["postgres", "mysql", "sqlite"] as const;

test("a statement is read in time that grows with its length", () => {
  const openings = ["[", "'", '"', "`", "/*", "--", "#", "$a$", "$a", "$", "'\\", '"\\', "\\'", "*/", "e'", "/", "-"];
  for (const engine of engines) {
    for (const opening of [...openings, "$1 ", "?,", "(", "\n"]) {
      const statement = `select ${opening.repeat(100_000)}`;
      const before = process.threadCpuUsage();
      for (const read of [
        () => readStatement(engine, statement, 1),
        () => numberQuestionMarks(engine, { statement, parameters: [1] }),
      ]) {
        try {
          read();
        } catch {
          // Placeholders and values need not fit.
        }
      }
      // Usual: 10 ms. What grew with the square took seconds.
      assert.ok(process.threadCpuUsage(before).user < 500_000, `${engine} ${JSON.stringify(opening)}`);
    }
  }
  const many = Array.from({ length: 40_000 }, (_, index) => `$${index + 1}`);
  assert.equal(readStatement("postgres", `select ${many.join(",")}`, 40_000).places.length, 40_000);
});

test("placeholders stand in code, not in literals and comments of their database", () => {
  const cases: [(typeof engines)[number], string, string][] = [
    ["postgres", "select $1, '$2', \"$3\", $$ $4 $$, $t$ $5 $t$, e'\\'$6' -- $7", "postgres"],
    ["postgres", "select $1 /* /* */ $2 */", "nested comments"],
    ["postgres", "select 'a\\', $1", "a backslash of a standard string is a character"],
    ["postgres", "-- no\rselect $1", "a carriage return ends a comment"],
    ["mysql", "select $1, '\\'$2', \"\\\"$3\", `$4` # $5\n-- $6", "mysql"],
    ["mysql", "select 1--$1", "two minus signs"],
    ["sqlite", "select $1, [$2], '$3', `$4` -- $5", "sqlite"],
  ];
  for (const [engine, statement, why] of cases) {
    assert.deepEqual(readStatement(engine, statement, 1).places, [0], why);
  }
});

test("control characters are refused on every database, tabs and line breaks taken", () => {
  for (const engine of engines) {
    assert.equal(readStatement(engine, "\tselect\r\n1", 0).verb, "select");
    for (const character of "\u0000\u0001\u0008\u000b\u000c\u001f\u007f") {
      assert.throws(() => readStatement(engine, `--${character}\nselect 1`, 0), /control characters/);
    }
  }
});
