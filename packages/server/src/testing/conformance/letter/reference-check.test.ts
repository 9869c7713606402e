import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createOpenApiDocument } from "@weft/http";
import { describeRoutes } from "../../../describe-routes.ts";
import { readApiDocument } from "../../api-document.ts";
import { referenceRows } from "../reference-rows.ts";
import { toCases } from "../testing/cases.ts";
import { allScenarios } from "../testing/scenarios/all-scenarios.ts";
import { listStatements, otherStatuses, toReferenceCheckText } from "./reference-check.ts";
import { rowShapes } from "./row-shapes.ts";

const root = new URL("../../../../../../", import.meta.url);
const document = readApiDocument(createOpenApiDocument(await describeRoutes(), { version: "1" }));
const statements = listStatements(toCases(document, allScenarios));

test("every statement of the reference has a test, which exists", async () => {
  const missing: string[] = [];
  for (const [file, list] of Map.groupBy(statements, ({ proof }) => proof.file)) {
    const source = await readFile(new URL(file, root), "utf8");
    const names = new Set([...source.matchAll(/\b(?:test|it)\(\s*["`](.+?)["`],/g)].map(([, name]) => name));
    for (const { text, proof } of list) {
      if (!names.has(proof.test)) missing.push(`${text}: ${file} has no test "${proof.test}"`);
    }
  }
  assert.deepEqual([...new Set(missing)], []);
});

test("every row takes and answers what the reference names", () => {
  for (const { operationId, takes, schema } of rowShapes) {
    const operation = document.operations.find(({ id }) => id === operationId);
    assert.ok(operation, operationId);
    const success = JSON.stringify(operation.answers["200"] ?? {});
    if (schema === "text") assert.match(success, /text\/plain/, operationId);
    else if (schema === "empty") assert.equal(success, "{}", operationId);
    else assert.ok(success.includes(`schemas/${schema}"`), `${operationId}: ${success.slice(0, 300)}`);
    const named = [...takes.matchAll(/path (\w+)|, (\w+Id)\b/g)].map(([, first, next]) => first ?? next);
    const inPath = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
    if (takes.startsWith("path")) assert.deepEqual(inPath, named, operationId);
    assert.equal(operation.body !== undefined, /body|form/.test(takes), `${operationId}: a body`);
  }
});

test("a row answers its own statuses, and others for a reason alone", () => {
  for (const { operationId, statuses } of referenceRows) {
    const operation = document.operations.find(({ id }) => id === operationId);
    const declared = Object.keys(operation?.answers ?? {}).map(Number);
    assert.deepEqual(
      statuses.filter((status) => !declared.includes(status)),
      [],
      operationId,
    );
    const others = declared.filter((status) => !statuses.includes(status));
    assert.deepEqual(
      others.filter((status) => otherStatuses[status] === undefined),
      [],
      operationId,
    );
  }
});

test("orders and flags have the reference's defaults and values", () => {
  const schemaOf = (operationId: string, name: string) =>
    document.operations.find(({ id }) => id === operationId)?.parameters.find((one) => one.name === name)?.schema;
  assert.partialDeepStrictEqual(schemaOf("listFeedback", "sortOrder"), { enum: ["asc", "desc"], default: "asc" });
  for (const operationId of ["listUpsertHistory", "listChatMessages"]) {
    assert.partialDeepStrictEqual(schemaOf(operationId, "order"), { enum: ["ASC", "DESC"], default: "ASC" });
  }
  for (const [schema, field] of [
    ["PredictionRequest", "streaming"],
    ["AttachmentForm", "base64"],
  ] as const) {
    const { properties } = document.schemas[schema] as { properties: Record<string, object> };
    assert.partialDeepStrictEqual(properties[field], { default: false }, field);
  }
});

test("docs/reference-check.md is current", async () => {
  const committed = await readFile(new URL("docs/reference-check.md", root), "utf8");
  assert.ok(committed === toReferenceCheckText(statements), "Write it again: ./weft conformance");
});
