import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@weft/schema";
import { createProblemIndex, fieldProblems } from "./field-problems.ts";
import { type Field, toForm } from "./to-field.ts";
import {
  copied,
  fromText,
  initialEntry,
  initialValue,
  initialVariant,
  isShown,
  moved,
  withFieldOf,
  withProperty,
} from "./values.ts";

function formOf(properties: Record<string, object>, required: string[] = []): Field {
  return toForm({ type: "object", properties, required });
}

function fieldOf(schema: object, required: string[] = []): Field {
  const field = formOf({ field: schema }, required).fields[0];
  assert.ok(field);
  return field;
}

const kinds = fieldOf({
  oneOf: [
    { type: "object", title: "Token", properties: { type: { const: "token" }, header: { type: "string" } } },
    {
      type: "object",
      properties: { type: { const: "open-to-all" }, header: { enum: ["a"] }, count: { type: "number" } },
      required: ["type", "count"],
    },
  ],
});

test("a field without a hint is edited as its schema's shape says", () => {
  const widgets = (schema: object) => fieldOf(schema).widget;
  assert.equal(widgets({ type: "string" }), "text");
  assert.equal(widgets({ type: "integer" }), "number");
  assert.equal(widgets({ type: "boolean" }), "boolean");
  assert.equal(widgets({ type: "string", enum: ["a"] }), "select");
  assert.equal(widgets({ type: "array", items: { type: "string" } }), "list");
  assert.equal(widgets({ type: "array", items: { type: "object", properties: {} } }), "rows");
  assert.equal(widgets({ type: "array", items: { anyOf: [] } }), "json");
  assert.equal(widgets({ type: "object", properties: {} }), "group");
  assert.equal(widgets({ type: "object", additionalProperties: {} }), "key-value");
  assert.equal(widgets({ anyOf: [{ type: "string" }, { type: "number" }] }), "text");
  assert.equal(widgets({ anyOf: [{ type: "string" }, { type: "object" }] }), "json");
  assert.equal(widgets({}), "json");
  assert.equal(kinds.widget, "variants");
});

test("a hint wins over the shape, and one that this builder does not know gives way to it", () => {
  assert.equal(fieldOf({ type: "string", widget: "textarea" }).widget, "textarea");
  assert.equal(fieldOf({ type: "string", widget: "hologram" }).widget, "text");
  assert.equal(fieldOf({ type: "string", widget: "constructor" }).widget, "text");
});

test("names become titles where the schema has none", () => {
  const form = formOf({ maxTokens: {}, "time-zone": {}, x: { title: "Y" } });
  assert.deepEqual(
    form.fields.map(({ title }) => title),
    ["Max tokens", "Time zone", "Y"],
  );
});

test("a union of objects is told apart by its constant, and switching keeps what both kinds take", () => {
  assert.deepEqual(
    kinds.variants?.kinds.map(({ value, title }) => [value, title]),
    [
      ["token", "Token"],
      ["open-to-all", "Open to all"],
    ],
  );
  assert.ok(kinds.variants);
  const [, open] = kinds.variants.kinds;
  const from = { type: "token", header: "x" };
  assert.deepEqual(initialVariant(kinds.variants, open, undefined, from), { type: "open-to-all", count: 0 });
  assert.deepEqual(initialVariant(kinds.variants, open, undefined, { header: "a" }), {
    type: "open-to-all",
    count: 0,
    header: "a",
  });
});

test("the initial value of a field is its default, else the least that the schema takes", () => {
  assert.deepEqual(initialValue(fieldOf({ default: { a: [1] } })), { a: [1] });
  assert.equal(initialValue(fieldOf({ type: "integer", minimum: 3 })), 3);
  assert.equal(initialValue(fieldOf({ enum: ["b", "a"] })), "b");
  const id = { type: "string", widget: "port-id" };
  const entry = { type: "object", properties: { id, title: { type: "string" } }, required: ["id"] };
  const list = fieldOf({ type: "array", items: entry, minItems: 2 });
  let count = 0;
  const createId = () => `id-${count++}`;
  assert.deepEqual(initialValue(list, createId), [{ id: "id-0" }, { id: "id-1" }]);
  assert.deepEqual(initialEntry(list, createId), { id: "id-2" });
  assert.ok(list.entry);
  assert.deepEqual(copied(list.entry, { id: "old", title: "T" }, createId), { id: "id-3", title: "T" });
  assert.match(String((initialEntry(list) as { id: Json }).id), /^p_[a-z0-9]{5}$/);
});

test("a new schedule has the browser's time zone, and one that is there keeps what it has", () => {
  const properties = {
    cron: { type: "string", widget: "cron" },
    timeZone: { type: "string", widget: "time-zone", default: "UTC" },
  };
  const group = fieldOf({ type: "object", properties, required: ["cron"] });
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const change = { name: "cron", value: "0 9 * * *" };
  assert.deepEqual(withFieldOf(group, undefined, change), { cron: "0 9 * * *", timeZone });
  assert.deepEqual(withFieldOf(group, { cron: "" }, change), { cron: "0 9 * * *" });
});

test("an empty text is no value, unless it is required or would bring back a default", () => {
  const text = (schema: object, required: string[] = []) =>
    fromText(fieldOf({ type: "string", ...schema }, required), "");
  assert.equal(text({}), undefined);
  assert.equal(text({ default: "" }), undefined);
  assert.equal(text({ default: "{{ question }}" }), "");
  assert.equal(text({ default: "x", minLength: 1 }), undefined);
  assert.equal(text({}, ["field"]), "");
  assert.equal(fromText(fieldOf({ type: "string" }), "a"), "a");
});

test("an object that was not set begins with its default when a field of it is changed", () => {
  const properties = { type: { type: "string" }, size: { type: "number" } };
  const memory = fieldOf({ type: "object", properties, default: { type: "all", size: 20 } });
  assert.deepEqual(withFieldOf(memory, undefined, { name: "size", value: 3 }), { type: "all", size: 3 });
  assert.deepEqual(withFieldOf(memory, { type: "off" }, { name: "size", value: 3 }), { type: "off", size: 3 });
  assert.deepEqual(withProperty({ a: 1, b: 2 }, "a", undefined), { b: 2 });
  assert.deepEqual(Object.keys(withProperty({ a: 1, b: 2 }, "a", 3)), ["a", "b"]);
});

test("a field is shown while another has the value that its hint asks for, default or not", () => {
  const form = formOf({
    kind: { enum: ["a", "b"], default: "a" },
    more: { type: "string", showWhen: { field: "kind", is: ["a"] } },
    secret: { type: "string", hidden: true },
  });
  const shown = (object: Record<string, Json>) =>
    form.fields.filter((field) => isShown(field, form.fields, object)).map(({ name }) => name);
  assert.deepEqual(shown({}), ["kind", "more"]);
  assert.deepEqual(shown({ kind: "b" }), ["kind"]);
});

test("entries move within their list only", () => {
  assert.deepEqual(moved(["a", "b", "c"], 0, 2), ["b", "c", "a"]);
  assert.deepEqual(moved(["a", "b"], 0, -1), ["a", "b"]);
  assert.deepEqual(moved(["a", "b"], 1, 2), ["a", "b"]);
});

test("problems stand at their path, those of hidden fields nowhere", () => {
  const form = formOf(
    {
      name: { type: "string", minLength: 1, maxLength: 3, pattern: "^[a-z]*$" },
      url: { type: "string", format: "uri", template: true },
      size: { type: "integer", minimum: 1, maximum: 5 },
      kind: { enum: ["a", "b"] },
      rows: {
        type: "array",
        maxItems: 1,
        items: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
      },
      only: { type: "string", maxLength: 1, showWhen: { field: "kind", is: ["b"] } },
    },
    ["name"],
  );
  const paths = (value: Json) => fieldProblems(form, value).map(({ path }) => path);
  assert.deepEqual(paths({}), ["name"]);
  assert.deepEqual(
    paths({ name: "ab", url: "{{ question }}", size: 5, kind: "a", rows: [{ key: "" }], only: "long" }),
    [],
  );
  assert.deepEqual(paths({ name: "", url: "nowhere", size: 1.5, kind: "c" }), ["name", "url", "size", "kind"]);
  assert.deepEqual(paths({ name: "abcd" }), ["name"]);
  assert.deepEqual(paths({ name: "AB", size: 6, rows: [{}], kind: "b", only: "long" }), [
    "name",
    "size",
    "rows.0.key",
    "only",
  ]);
  assert.deepEqual(paths({ name: "a", rows: [{ key: "" }, { key: "" }] }), ["rows"]);
});

test("the problems of a kind are those of its own fields", () => {
  const problems = fieldProblems(kinds, { type: "open-to-all", header: "b" }, "auth");
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["auth.header", "auth.count"],
  );
});

test("an index of problems counts what lies inside of a place and says nothing twice", () => {
  const index = createProblemIndex([
    { path: "a.0.b", message: "x" },
    { path: "a.0.b", message: "x" },
    { path: "a.0.b", message: "y" },
    { path: "", message: "z" },
  ]);
  assert.deepEqual(index.at("a.0.b"), ["x", "y"]);
  assert.deepEqual([index.count("a"), index.count(""), index.count("a.1")], [2, 3, 0]);
});
