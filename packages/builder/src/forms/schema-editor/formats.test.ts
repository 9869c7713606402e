import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@weft/schema";
import {
  fieldListFormat,
  jsonSchemaFormat,
  requestParametersFormat,
  type SchemaFormat,
  toolParametersFormat,
} from "./formats.ts";

function keeps(format: SchemaFormat, value: Json): void {
  const properties = format.read(value);
  assert.ok(properties, JSON.stringify(value));
  assert.deepEqual(format.write(properties), value);
}

test("a JSON Schema of an object is read as rows and written as it was", () => {
  keeps(jsonSchemaFormat, {
    type: "object",
    properties: {
      city: { type: "string", description: "Name of the city" },
      kind: { type: "string", enum: ["a", "b"] },
      tags: { type: "array", items: { type: "string" } },
      sizes: { type: "array", items: { type: "string", enum: ["s", "m"] } },
      people: {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
      where: { type: "object", properties: { lat: { type: "number" } }, required: [] },
    },
    required: ["city"],
    additionalProperties: false,
  });
  assert.deepEqual(jsonSchemaFormat.read(undefined), []);
  assert.deepEqual(jsonSchemaFormat.read({}), []);
});

test("a schema that says more than rows can show is left to the JSON editor", () => {
  const properties = { a: { type: "string" } };
  for (const schema of [
    { type: "object", properties: { a: { oneOf: [{ type: "string" }] } } },
    { type: "object", properties: { a: { type: "string", minLength: 3 } } },
    { type: "object", properties, additionalProperties: true },
    { type: "object", properties, title: "Answer" },
    { type: "array", items: { type: "string" } },
    { type: "object", properties: { a: { type: "array", items: { type: "array", items: {} } } } },
    [],
    "text",
  ] as Json[]) {
    assert.equal(jsonSchemaFormat.read(schema), undefined, JSON.stringify(schema));
  }
});

test("the fields of a structured answer keep what they say", () => {
  keeps(fieldListFormat, [
    { name: "title", type: "string", description: "", required: true },
    { name: "kind", type: "enum", description: "Which", required: false, enumValues: ["a"] },
    { name: "tags", type: "array", description: "", required: true, items: "number" },
    {
      name: "people",
      type: "array",
      description: "",
      required: true,
      items: "object",
      schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
  ]);
  const [row] =
    fieldListFormat.read([{ name: "x", schema: '{"type":"object","properties":{"y":{"type":"number"}}}' }]) ?? [];
  assert.deepEqual([row?.type, row?.required, row?.properties[0]?.name], ["string", true, "y"]);
  assert.equal(fieldListFormat.read([{ name: "x", type: "object", schema: "no JSON" }]), undefined);
  assert.equal(fieldListFormat.read({ type: "object" }), undefined);
});

test("a tool's parameters stay a list while a list can say it, and become a JSON Schema when it cannot", () => {
  keeps(toolParametersFormat, [
    { property: "city", type: "string", description: "Name", required: true },
    { property: "days", type: "integer", description: "", required: false },
  ]);
  const [row] = toolParametersFormat.read([{ id: 1, property: "a", type: "Number", required: false }]) ?? [];
  assert.deepEqual([row?.name, row?.type, row?.required], ["a", "number", false]);
  assert.ok(row);
  const written = toolParametersFormat.write([{ ...row, type: "enum", choices: ["x"] }]) as { properties: Json };
  assert.deepEqual(written.properties, { a: { type: "string", enum: ["x"] } });
  assert.equal(toolParametersFormat.read([{ property: "a", type: "date" }]), undefined);
});

test("a request's parameters keep their places", () => {
  keeps(requestParametersFormat, {
    id: { type: "string", in: "path", required: true, description: "Id" },
    limit: { type: "integer", required: false },
    kind: { type: "string", required: true, enum: ["a", "b"] },
  });
  const [row] = requestParametersFormat.read({ q: {} }) ?? [];
  assert.deepEqual([row?.type, row?.required, row?.place], ["string", false, undefined]);
  assert.equal(requestParametersFormat.read({ q: { type: "object", properties: { a: { minimum: 3 } } } }), undefined);
  assert.equal(requestParametersFormat.read("{"), undefined);
});
