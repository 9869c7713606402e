import assert from "node:assert/strict";
import { it } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { needed } from "../../testing/classic-host.ts";
import { changedValues, classicInputs } from "../../testing/classic-inputs.ts";
import { convertNode } from "../../testing/foreign-file.ts";
import { toolTable } from "./tool-table.ts";

/** Inputs that are not to change anything, with the reason. */
const withoutEffect: Readonly<Record<string, string>> = {
  "maxQueryLength of arxiv": "the service cuts queries",
  "continueOnFailure of arxiv": "errors are results that the model reads",
  "legacyBuild of arxiv": "abstracts are read, not PDFs",
  "scrapeMode of webScraperTool": "the finding about depth covers both modes",
  "openApiFile of openAPIToolkit": "the link is what was chosen",
  "days of tavilyAPI": "is what the form holds before anybody edits it",
};

const fitting: Readonly<Record<string, Json>> = { inputType: "file", selectedEndpoints: '["changed"]' };

/** The native agent with that tool, and the findings. */
function outcome(agentSelectedTool: string, inputs: JsonObject): string {
  const agentSelectedToolConfig = { FLOWISE_CREDENTIAL_ID: "c", ...needed[agentSelectedTool], ...inputs };
  const agentTools = [{ agentSelectedTool, agentSelectedToolConfig }];
  const { config, findings } = convertNode("agentAgentflow_0", { agentModel: "chatOpenAI", agentTools });
  return JSON.stringify([config, findings.map(({ code, message }) => [code, message])]);
}

for (const category of ["Tools", "Tools (MCP)"]) {
  it(`every setting of a tool of an agent has an effect, or a finding says that it has none: ${category}`, () => {
    const tools = Object.entries(classicInputs[category] ?? {}).filter(([name]) => toolTable.has(name));
    const silent = tools.flatMap(([name, list]) =>
      list
        .split(" ")
        .filter((entry) => entry !== "")
        .flatMap((entry) => {
          const [input = "", type = ""] = entry.split(":");
          const value = fitting[input] ?? changedValues[type];
          if (value === undefined || needed[name]?.[input] === value) return [];
          return outcome(name, { [input]: value }) === outcome(name, {}) ? [`${input} of ${name}`] : [];
        }),
    );
    assert.deepEqual(
      silent.filter((text) => !Object.hasOwn(withoutEffect, text)),
      [],
    );
  });
}
