import assert from "node:assert/strict";
import { compileFlow } from "@weft/engine";
import type { NodeServices } from "@weft/engine/node";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import type { Retrieval, StoreToSearch } from "@weft/engine/ports/retriever";
import type { Tool, ToolReference } from "@weft/engine/ports/tool";
import { createScriptedModel, createTestProcess, noMemory, noServices, type ScriptedStep } from "@weft/engine/testing";
import { nodeRegistry } from "@weft/nodes";
import { createSandbox } from "@weft/sandbox";
import type { Document, Finding, FlowDocument, HistoryMessage, JsonObject, RunInput } from "@weft/schema";
import { readFlow } from "../read-flow.ts";
import { codesOf } from "./foreign-file.ts";

export type ClassicRun = {
  /** The models' answers, in order, or one for every call. */
  script?: ScriptedStep[] | ((call: ModelCall) => ScriptedStep);
  input?: RunInput;
  history?: HistoryMessage[];
  vars?: JsonObject;
  /** The passages of the stores. */
  documents?: Document[];
  tools?: (reference: ToolReference) => Tool[];
  services?: Partial<NodeServices>;
  /** Findings that are expected, as `level code`. Default: none. */
  findings?: string[] | "any";
  /** Settings that a person chooses before the flow runs. */
  choose?: (flow: FlowDocument) => void;
};

let sandbox: ReturnType<typeof createSandbox> | undefined;

/** The sandbox of the next file's flows is another one. */
export async function closeSandbox(): Promise<void> {
  await sandbox?.close();
  sandbox = undefined;
}

/** Reads a classic flow as the platform does. */
export function compileClassic(document: JsonObject): { flow: FlowDocument; findings: readonly Finding[] } {
  const { flow, findings } = compileFlow(JSON.stringify(document), nodeRegistry, readFlow);
  return { flow: { weft: 1, nodes: [...flow.nodes], edges: [...flow.edges] }, findings };
}

/** Runs a classic flow to its end, with the real nodes, the engine and the sandbox. */
export async function runClassic(document: JsonObject, run: ClassicRun = {}) {
  const { flow, findings } = compileClassic(document);
  const codes = [...new Set(codesOf(findings))].toSorted();
  if (run.findings !== "any") assert.deepEqual(codes, run.findings ?? [], JSON.stringify(findings));
  run.choose?.(flow);
  const calls: ModelCall[] = [];
  const searches: (StoreToSearch & Pick<Retrieval, "query" | "settings">)[] = [];
  const model: ChatModel = {
    id: "scripted/model",
    answer(call) {
      const round = calls.push(call) - 1;
      const step = typeof run.script === "function" ? run.script(call) : run.script?.[round];
      return createScriptedModel([step ?? {}]).answer(call);
    },
  };
  const services: NodeServices = {
    ...noServices,
    models: { resolve: async () => model },
    sandbox: openSandbox(),
    tools: { resolve: async (reference) => run.tools?.(reference) ?? [] },
    retriever: {
      async retrieve({ stores, query, settings }) {
        for (const { storeId, topK, filter } of stores) {
          const limits = { ...(topK === undefined ? {} : { topK }), ...(filter && { filter }) };
          searches.push({ storeId, query, ...limits, ...(settings && { settings }) });
        }
        return { documents: run.documents ?? [], warnings: [] };
      },
    },
    ...run.services,
  };
  const process = createTestProcess({
    flow: JSON.stringify(flow),
    registry: nodeRegistry,
    input: run.input ?? { question: "hello" },
    // The sandbox works in real time, which passes at once for the engine.
    limits: { wallTimeMs: Number.POSITIVE_INFINITY },
    deps: {
      services,
      memory: { ...noMemory, messages: async () => run.history ?? [] },
      variables: { all: async () => run.vars ?? {} },
    },
  });
  await process.start().done;
  const events = process.events();
  const end = events.at(-1);
  const completed = end?.type === "run-completed" ? end : undefined;
  return {
    text: completed?.text,
    json: completed?.json,
    end,
    events,
    calls,
    searches,
    order: events.flatMap((event) => (event.type === "node-completed" ? [event.nodeId] : [])),
    /** The messages of each model call, as `role: text`, without the marks around data. */
    said: calls.map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`).flatMap(withoutMarks)),
  };
}

function openSandbox() {
  sandbox ??= createSandbox({ workers: 1 });
  return sandbox;
}

/** Without the tags around what comes from documents and tools, and without what is said about them. */
function withoutMarks(message: string): string[] {
  if (message.startsWith("system: Text between <data-")) return [];
  return [message.replaceAll(/<data-[^>]*>\n|\n<\/data-[^>]*>/g, "")];
}
