import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJsonOrText } from "@weft/schema";
import { fromRows, toRows, toValueText } from "./list-widgets.tsx";

test("values keep their types from an object to rows and back", () => {
  const object = {
    text: "a b",
    number: 5,
    yes: true,
    list: ["a"],
    quoted: "5",
    template: "{{ question }}",
    nothing: null,
  };
  assert.deepEqual(fromRows(toRows(object)), object);
  assert.equal(toValueText("5"), '"5"');
  assert.equal(parseJsonOrText("{{ x }}"), "{{ x }}");
});

test("rows without a name are none, and of the same name the first counts", () => {
  const rows = [
    { key: "", text: "lost" },
    { key: "a", text: "1" },
    { key: "a", text: "2" },
  ];
  assert.deepEqual(fromRows(rows), { a: 1 });
});
