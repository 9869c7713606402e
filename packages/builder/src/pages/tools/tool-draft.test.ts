import assert from "node:assert/strict";
import { test } from "node:test";
import { fromDraft, newDraft, parametersOf, toDraft, toTrialSchema } from "./tool-draft.ts";

const stored = { name: "t", description: "", color: "#fff", iconSrc: null, func: null };

test("a tool is edited with its parameters parsed, and sent with them as text", () => {
  const schema = '[{"property":"city","type":"string","description":"","required":true}]';
  const draft = toDraft({ ...stored, schema });
  assert.equal(parametersOf(draft.parameters)?.[0]?.name, "city");
  assert.deepEqual(fromDraft(draft), { ...stored, func: "", schema });
  assert.equal(fromDraft(newDraft).schema, "");
});

test("a text that is no JSON, from another client, is no parameters", () => {
  assert.equal(toDraft({ ...stored, schema: "{" }).parameters, undefined);
});

test("a trial's form is drawn from rows, or from the schema that only JSON can show", () => {
  const rows = toTrialSchema([{ property: "maxDays", type: "number", required: true }]) as Record<string, object>;
  assert.deepEqual(rows.required, ["maxDays"]);
  assert.partialDeepStrictEqual(rows.properties, { maxDays: { type: "number", title: "maxDays" } });
  const schema = { type: "object", properties: { a: { type: "string", minLength: 2 } } };
  assert.deepEqual(toTrialSchema(schema), schema);
});
