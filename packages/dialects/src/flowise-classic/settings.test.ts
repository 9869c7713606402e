import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { ref } from "../testing/classic-file.ts";
import { buildWith, needed, partsOf } from "../testing/classic-host.ts";
import { changedValues, classicInputs } from "../testing/classic-inputs.ts";
import { convertClassic } from "./convert-classic.ts";

/** Inputs that are not to change anything, with the reason. */
const withoutEffect: Readonly<Record<string, string>> = {
  streaming: "who calls decides how an answer travels",
  enableDetailedStreaming: "steps are always streamed",
  allowImageUploads: "whether a model takes pictures is known of the model",
  autofixParser: "an answer that does not fit is always asked for again",
  "variableName of setVariable": "nothing of this flow reads the variable",
  "openApiFile of openAPIToolkit": "the link is what was chosen",
  "model of simpleStoreLlamaIndex": "stores embed, and ask no model",
  "model of pineconeLlamaIndex": "stores embed, and ask no model",
  "days of tavilyAPI": "is what the form holds before anybody edits it",
  "budgetTokens of chatAnthropic": "says nothing without extended thinking",
  "thinkingEffort of chatAnthropic": "says nothing without adaptive thinking",
  "maxQueryLength of arxiv": "the service shortens queries",
  "continueOnFailure of arxiv": "the model reads errors as results",
  "legacyBuild of arxiv": "abstracts are read",
  "scrapeMode of webScraperTool": "one page is read",
  "useMMap of ollamaEmbedding": "is what the form holds",
  "weaviateHttpSecure of weaviate": "is what the form holds",
  "weaviateGrpcSecure of weaviate": "is what the form holds",
  "reasoning of chatOpenAI": "shows the effort, and says nothing without one",
};

/** Values that mean something to an input, where any text does not. */
const fitting: Readonly<Record<string, Json>> = {
  examples: '[{"word":"changed"}]',
  exampleJson: "z.object({ changed: z.string() })",
  temperature: "0.5",
  topP: "0.5",
  k: "3",
  inputType: "file",
  selectedEndpoints: '["changed"]',
};

const outcome = (document: JsonObject) => {
  const { flow, findings, stores } = convertClassic(document);
  return JSON.stringify([flow, findings.map(({ code, message }) => [code, message]), stores]);
};

/** Inputs of a component that neither change the flow nor are said to change nothing. */
function silentInputs(category: string, name: string, list: string): string[] {
  const before = outcome(buildWith(name, category, {}));
  assert.doesNotMatch(before, /node-unsupported|tool-unsupported|model-unsupported|prompt-unsupported/, name);
  const entries = list.split(" ").filter((text) => text !== "");
  return entries.flatMap((entry) => {
    const [input = "", type = ""] = entry.split(":");
    const [part] = partsOf(type);
    const value = part === undefined ? (fitting[input] ?? changedValues[type]) : ref(part.id);
    assert.ok(value !== undefined, `${name}.${input} takes ${type}`);
    if (JSON.stringify(needed[name]?.[input] ?? "").includes(String(value))) return [];
    return outcome(buildWith(name, category, { [input]: value })) === before ? [`${input} of ${name}`] : [];
  });
}

function isExplained(silent: string): boolean {
  const [input = ""] = silent.split(" ");
  return Object.hasOwn(withoutEffect, input) || Object.hasOwn(withoutEffect, silent);
}

describe("every input of a supported component", () => {
  for (const [category, components] of Object.entries(classicInputs)) {
    it(`has an effect, or a finding says that it has none: ${category}`, () => {
      const silent = Object.entries(components).flatMap(([name, list]) => silentInputs(category, name, list));
      assert.deepEqual(
        silent.filter((text) => !isExplained(text)),
        [],
      );
    });
  }
});
