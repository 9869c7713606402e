import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { formSchemaOf } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import { type IntegrationRegistry, integrations } from "@weft/integrations";
import { nodeRegistry } from "@weft/nodes";
import type { Json, JsonObject } from "@weft/schema";
import type { z } from "zod";
import { fieldProblems } from "../../../builder/src/forms/fields/field-problems.ts";
// The builder knows no node type; this is where its forms and the node types meet.
import type { Field } from "../../../builder/src/forms/fields/to-field.ts";
import { toForm } from "../../../builder/src/forms/fields/to-field.ts";
import { initialEntry, initialValue } from "../../../builder/src/forms/fields/values.ts";

type Configurable = { type: string; config: z.ZodType };

const forms: Configurable[] = [
  ...Object.values<NodeRegistry[string]>(nodeRegistry),
  ...Object.values<IntegrationRegistry[string]>(integrations),
];

/** Widgets that edit what lies inside of their value themselves. */
const whole = new Set(["tool", "tools", "structured-output"]);

type Place = { field: Field; path: string[]; siblings: readonly Field[] };

/** Every field of a form at any depth; `*` stands for an entry of a list. */
function allFields(field: Field, path: string[] = [], siblings: readonly Field[] = []): Place[] {
  if (whole.has(field.widget)) return [{ field, path, siblings }];
  const groups = [field.fields, ...(field.variants?.kinds.map((kind) => kind.fields) ?? [])];
  return [
    { field, path, siblings },
    ...groups.flatMap((group) => group.flatMap((inner) => allFields(inner, [...path, inner.name], group))),
    ...(field.entry ? allFields(field.entry, [...path, "*"]) : []),
  ];
}

for (const { type, config } of forms) {
  describe(`the form of ${type}`, () => {
    const form = toForm(formSchemaOf({ config }));
    const places = allFields(form);

    test("every field has a title and a widget that the builder has, and none is mere JSON unless it says so", () => {
      for (const { field, path } of places) {
        const name = path.join(".");
        assert.ok(path.length === 0 || path.at(-1) === "*" || field.title !== "", name);
        if (field.schema.widget !== undefined) assert.equal(field.widget, field.schema.widget, name);
        assert.ok(field.widget !== "json" || field.schema.widget === "json", `${name} needs a hint`);
      }
    });

    test("hints that name another field name one, and a value that it can have", () => {
      for (const { field, path, siblings } of places) {
        const { showWhen } = field.schema;
        if (showWhen === undefined) continue;
        const other = siblings.find(({ name }) => name === showWhen.field);
        assert.ok(other, path.join("."));
        const choices = other.schema.enum ?? [true, false];
        for (const value of showWhen.is) {
          const isUnset = value === null && other.schema.default === undefined;
          assert.ok(isUnset || choices.includes(value), path.join("."));
        }
      }
    });

    test("what a form begins with is accepted, or the form says what is missing", () => {
      assertSameProblems(config, form, initialValue(form));
    });

    test("a new entry of a list is accepted, or the form says what is missing", () => {
      for (const { field, path } of places) {
        if (field.entry === undefined || whole.has(field.widget) || path.includes("*")) continue;
        assertSameProblems(config, form, withEntry(form, path, initialEntry(field)));
      }
    });
  });
}

function assertSameProblems(config: z.ZodType, form: Field, value: Json): void {
  const parsed = config.safeParse(value);
  const refused = parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
  const said = fieldProblems(form, value).map(({ path }) => path);
  assert.deepEqual(said.toSorted(), [...new Set(refused)].toSorted(), JSON.stringify(value));
}

/** The initial value of a form with one entry in the list at a path. Objects on the way begin as their own fields do. */
function withEntry(form: Field, path: readonly string[], entry: Json): JsonObject {
  const value = initialValue(form) as JsonObject;
  let [object, field] = [value, form];
  for (const [index, name] of path.entries()) {
    const next: Field | undefined = field.fields.find((one) => one.name === name);
    assert.ok(next, path.join("."));
    const isList = index === path.length - 1;
    const inner = isList ? [entry] : (object[name] ?? initialValue(next));
    object[name] = inner;
    if (!isList) object = inner as JsonObject;
    field = next;
  }
  // What the start node shows depends on how it is started.
  return path[0] !== undefined && form.fields.find(({ name }) => name === path[0])?.schema.showWhen
    ? { ...value, ...shownBy(form, path[0]) }
    : value;
}

function shownBy(form: Field, name: string): JsonObject {
  const showWhen = form.fields.find((field) => field.name === name)?.schema.showWhen;
  const value = showWhen?.is[0];
  return showWhen === undefined || value === undefined ? {} : { [showWhen.field]: value };
}
