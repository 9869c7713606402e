import { isJsonObject, type JsonObject } from "@weft/schema";
import { toStore } from "../knowledge.ts";
import { parseLenientJson } from "../lenient-json.ts";
import { toModelSettings } from "../models/to-model-settings.ts";
import { type NodeConverter, type NodeScope, present } from "../node-converter.ts";
import { toPromptConfig, toResponseRole } from "../prompt.ts";
import { toStructuredOutput } from "../structured-output.ts";

const directReply: NodeConverter = {
  type: "direct-reply",
  toConfig: ({ settings }) => ({ message: settings.template("directReplyMessage") }),
};

const stickyNote: NodeConverter = {
  type: "sticky-note",
  toConfig: ({ settings }) => ({ text: settings.text("note") }),
  toPorts: () => [],
};

/** Their count says how often the target runs in all; the native one, how often the loop goes back to it. */
const loop: NodeConverter = {
  type: "loop",
  toConfig({ settings, flow }) {
    const wanted = settings.text("loopBackToNode");
    const runs = settings.number("maxLoopCount") ?? 5;
    return present({
      target: flow.findByTarget(wanted) ?? wanted.slice(0, 200),
      times: Math.min(1_000, Math.max(0, Math.floor(runs) - 1)),
      fallback: settings.template("fallbackMessage") || undefined,
    });
  },
};

/** Runs the nodes inside it for each item, one after the other. What went wrong with an item is its result. */
const iteration: NodeConverter = {
  type: "iteration",
  toConfig: ({ settings }) => ({
    items: toItems(settings.template("iterationInput").trim()),
    concurrency: 1,
    onItemError: "collect",
  }),
  toOutputPath: (path) => (path[0] === "iterationResults" ? ["results", ...path.slice(1)] : path),
};

/** A list that is written down becomes plain JSON; anything else is a template that yields one. */
function toItems(text: string): string {
  const value = text.includes("{{") ? undefined : parseLenientJson(text);
  return Array.isArray(value) ? JSON.stringify(value) : text;
}

const llm: NodeConverter = {
  type: "llm",
  toSpokenRole: (settings) => toResponseRole(settings, "llm"),
  toConfig: (scope) => ({
    model: toModelSettings(scope, "llmModel"),
    ...toPromptConfig(scope, "llm"),
    ...toStructuredOutput(scope, "llmStructuredOutput"),
  }),
};

const customFunction: NodeConverter = {
  type: "custom-function",
  toConfig: ({ settings }) => ({
    variables: settings
      .rows("customFunctionInputVariables")
      .map((row) => ({ name: row.text("variableName"), value: row.template("variableValue") }))
      .filter(({ name }) => name !== ""),
    code: settings.text("customFunctionJavascriptFunction"),
  }),
};

const executeFlow: NodeConverter = {
  type: "execute-flow",
  toSpokenRole: (settings) => toResponseRole(settings, "executeFlow"),
  toConfig(scope) {
    const { settings, flow, report } = scope;
    const agentId = settings.text("executeFlowSelectedFlow");
    if (agentId === "") report.refuse("flow-missing", "It calls no flow. Choose one.", "agentId");
    if (settings.text("executeFlowBaseURL") !== "") {
      report.warn(
        "flow-address-ignored",
        "Its base URL is not used because it calls a flow on this server. To call another server, use an HTTP node.",
      );
    }
    return present({
      agentId,
      input: settings.template("executeFlowInput") || flow.inputTemplate,
      overrideConfig: toOverrides(scope),
      responseRole: toResponseRole(settings, "executeFlow"),
    });
  },
};

/** JSON text, its references still in it. */
function toOverrides({ settings, report }: NodeScope): string | undefined {
  const overrides = settings.json("executeFlowOverrideConfig");
  if (overrides === undefined) return undefined;
  if (isJsonObject(overrides)) return JSON.stringify(overrides);
  report.refuse(
    "flow-overrides-invalid",
    "Its override configuration is not a JSON object. Correct it.",
    "overrideConfig",
  );
  return undefined;
}

const retriever: NodeConverter = {
  type: "retriever",
  toConfig({ settings, flow, report }) {
    const stores = settings.rows("retrieverKnowledgeDocumentStores").flatMap((row) => toStore(row)?.id ?? []);
    if (stores.length === 0) report.refuse("knowledge-missing", "It has no document store. Choose one.", "stores");
    if (stores.length > 1) {
      report.warn(
        "retriever-stores",
        "It searches all its stores, where only the last one counted. Remove the others if that is what you want.",
      );
    }
    return {
      stores: stores.map((storeId) => ({ storeId })),
      query: settings.template("retrieverQuery") || flow.inputTemplate,
      format: settings.text("outputFormat") === "textWithMetadata" ? "text-with-metadata" : "text",
    };
  },
};

/** The person reads what was said last, and the question behind it. */
const humanInput: NodeConverter = {
  type: "human-input",
  toConfig: (scope) => ({
    ...(scope.settings.text("humanInputDescriptionType") === "dynamic" ? toModelQuestion(scope) : toQuestion(scope)),
    feedback: scope.settings.flag("humanInputEnableFeedback"),
  }),
  toPorts: () => ["proceed", "reject"],
};

function toQuestion({ node, settings, flow }: NodeScope): JsonObject {
  const said = flow.speakersBefore(node.id).map(({ id }) => `{{ ${id} }}`);
  const question = settings.template("humanInputDescription") || "Do you want to proceed?";
  return { writtenBy: "author", question: [...said, question].join("\n\n") };
}

function toModelQuestion(scope: NodeScope): JsonObject {
  const instruction = scope.settings.template("humanInputModelPrompt");
  return {
    writtenBy: "model",
    model: toModelSettings(scope, "humanInputModel"),
    ...(instruction === "" ? {} : { instruction }),
  };
}

/** Nodes that are converted setting by setting, by component. */
export const plainNodes: Readonly<Record<string, NodeConverter>> = {
  llmAgentflow: llm,
  loopAgentflow: loop,
  iterationAgentflow: iteration,
  humanInputAgentflow: humanInput,
  directReplyAgentflow: directReply,
  customFunctionAgentflow: customFunction,
  retrieverAgentflow: retriever,
  executeFlowAgentflow: executeFlow,
  stickyNoteAgentflow: stickyNote,
};
