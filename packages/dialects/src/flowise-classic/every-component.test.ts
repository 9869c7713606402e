import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { HttpRequest } from "@weft/engine/ports/http-client";
import { type FlowDocument, isJsonObject, type Json, type JsonObject, toJsonObject } from "@weft/schema";
import { buildWith } from "../testing/classic-host.ts";
import { classicInputs } from "../testing/classic-inputs.ts";
import { closeSandbox, runClassic } from "../testing/run-classic.ts";

after(closeSandbox);

/** Stores and agents that a person chooses, wherever none is. What was refused is dealt with. */
function chooseAll(value: Json): void {
  if (Array.isArray(value)) value.forEach(chooseAll);
  if (!isJsonObject(value)) return;
  for (const name of ["storeId", "agentId"]) if (value[name] === "") value[name] = "chosen";
  Object.values(value).forEach(chooseAll);
}

const choose = ({ nodes }: FlowDocument) => {
  for (const node of nodes) {
    chooseAll(node.config);
    delete node.refused;
  }
};

/** What a model says: some components call it. */
const address = "https://api.example/";

/** A value of a schema. */
function fillSchema(schema: JsonObject): Json {
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  if (schema.type === "array") return [fillSchema(toJsonObject(schema.items))];
  if (schema.type === "object") {
    const properties = Object.entries(toJsonObject(schema.properties));
    return Object.fromEntries(properties.map(([name, inner]) => [name, fillSchema(toJsonObject(inner))]));
  }
  return schema.type === "number" ? 1 : address;
}

const needs: Readonly<Record<string, JsonObject>> = {
  customFunction: { javascriptFunction: "return 1;" },
  advancedStructuredOutputParser: { exampleJson: "z.object({ a: z.string() })" },
  structuredOutputParser: { jsonStructure: [{ property: "a", type: "string" }] },
  llmChain: { prompt: "{{promptTemplate_9.data.instance}}" },
  openAIAssistant: { selectedAssistant: "a" },
};

/** What every service answers: a moderation that flags nothing, and others that read no more of it. */
const answered = Buffer.from(JSON.stringify({ results: [{ flagged: false }] }));

const http = {
  request: async ({ url }: HttpRequest) => {
    return { status: 200, statusText: "OK", headers: {}, truncated: false, url, body: answered };
  },
};

describe("every supported component", () => {
  for (const [category, components] of Object.entries(classicInputs)) {
    it(`is part of a flow that runs to its end, once what is missing is chosen: ${category}`, async () => {
      for (const name of Object.keys(components)) {
        const { end, text, json } = await runClassic(buildWith(name, category, needs[name] ?? {}), {
          findings: "any",
          choose,
          script: ({ responseSchema }) => ({
            text: responseSchema ? JSON.stringify(fillSchema(responseSchema.schema)) : address,
          }),
          services: { http, childRuns: { run: async () => ({ runId: "r", text: "ok" }) } },
        });
        assert.equal(end?.type, "run-completed", `${name}: ${JSON.stringify(end)}`);
        assert.ok(text !== "" || json !== undefined, name);
      }
    });
  }
});
