import { filterOperators, type JsonObject } from "@weft/schema";
import { convertTool, present, reportUnder, silentSettings } from "../agentflow-v2/index.ts";
import { toFilter } from "../own-stores/index.ts";
import type { ClassicScope } from "./scope.ts";
import { type StoreSearch, toKnowledge, toSearches } from "./stores.ts";

/** An agent's integrations and the stores that it searches. */
export type ClassicTools = { tools: JsonObject[]; knowledge: JsonObject[] };

/** The tools at an input, behind those that were `found` before. */
export function toTools(
  scope: ClassicScope,
  input = "tools",
  { tools, knowledge }: ClassicTools = { tools: [], knowledge: [] },
): ClassicTools {
  const found: ClassicTools = { tools: [...tools], knowledge: [...knowledge] };
  for (const tool of scope.parts(input)) addTool(tool, found);
  return found;
}

function addTool(tool: ClassicScope, found: ClassicTools): void {
  switch (tool.node.name) {
    case "retrieverTool":
      found.knowledge.push(...toRetrieverTool(tool, found.knowledge.length));
      return;
    case "queryEngineToolLlamaIndex":
      found.knowledge.push(...toEngineTool(tool, found.knowledge.length));
      return;
    case "chainTool":
      found.tools.push(toChainTool(tool, found.tools.length));
      return;
    default: {
      const converted = convertTool(
        tool.node.name,
        tool.settings,
        reportUnder(tool.report, `tools.${found.tools.length}.config`),
      );
      tool.ignore(...(silentSettings.get(tool.node.name) ?? []));
      // The table of tools says itself what it does not use of them.
      if (agentTools.has(tool.node.name)) tool.ignore(...ignoredByAgentTools);
      if (converted !== undefined) found.tools.push(converted);
      else tool.ignore(...Object.keys(tool.node.inputs));
    }
  }
}

const agentTools = new Set(["agentAsTool", "ChatflowTool"]);
const ignoredByAgentTools = ["baseURL", "overrideConfig", "startNewSession", "useQuestionFromChat", "customInput"];

/** Where an agent lists the stores that it knows, from one of them on. */
function toKnowledgePath(first: number): (index: number) => string {
  return (index) => `knowledge.${first + index}.storeId`;
}

/** A store that the model may search, under the name that the model knows. */
function toRetrieverTool(tool: ClassicScope, first: number): JsonObject[] {
  const { settings, report } = tool;
  const filter = toFilter(settings, "retrieverToolMetadataFilter");
  if (filter === undefined && settings.text("retrieverToolMetadataFilter").trim() !== "") {
    report.refuse(
      "store-filter",
      `Its metadata filter cannot be read, and without it the whole store would be searched. Write it as { "topic": "refunds" }, with the operators ${filterOperators.join(", ")}, or remove it.`,
    );
  }
  const named = (search: StoreSearch, index: number) => ({
    ...search,
    filter: search.filter && filter ? { $and: [search.filter, filter] } : (filter ?? search.filter),
    name: `${settings.text("name") || search.name}${index === 0 ? "" : `_${index + 1}`}`,
    description: settings.text("description"),
  });
  return toSearches(tool, "retriever", toKnowledgePath(first)).map((search, index) =>
    toKnowledge(named(search, index), settings.flag("returnSourceDocuments")),
  );
}

/** An engine that answers from a store: here the agent itself reads what the store has. */
function toEngineTool(tool: ClassicScope, first: number): JsonObject[] {
  const { settings, report } = tool;
  const engine = tool.part("baseQueryEngine");
  if (engine === undefined) {
    report.refuse("tool-missing", "No query engine is wired to it. Add a document store to the agent's knowledge.");
    return [];
  }
  const synthesiser = engine.part("responseSynthesizer");
  if (synthesiser !== undefined) {
    report.warn(
      "synthesiser-left-out",
      "The agent words what it finds itself, without the response synthesizer. Put what the answers need into its instructions.",
    );
    synthesiser.ignore(...Object.keys(synthesiser.node.inputs));
  }
  const shown = engine.settings.flag("returnSourceDocuments");
  return toSearches(engine, "vectorStoreRetriever", toKnowledgePath(first)).map((search) =>
    toKnowledge({ ...search, name: settings.text("toolName"), description: settings.text("toolDesc") }, shown),
  );
}

/** A chain that answers a model's question is an agent of its own here. */
function toChainTool(tool: ClassicScope, index: number): JsonObject {
  const { settings, report } = tool;
  const chain = tool.part("baseChain");
  const what = chain === undefined ? "its chain" : `its chain "${chain.node.label.slice(0, 100)}"`;
  report.refuse(
    "tool-chain",
    `It asks a chain of the same flow. Make an agent of ${what}, which answers the question it is asked, and choose that agent in this tool.`,
    `tools.${index}.config.agentId`,
  );
  chain?.ignore(...Object.keys(chain.node.inputs));
  const config = {
    agentId: "",
    name: settings.text("name") || undefined,
    description: settings.text("description").slice(0, 4_000) || undefined,
    returnDirect: settings.flag("returnDirect") || undefined,
  };
  return { type: "agent", config: present(config) };
}
