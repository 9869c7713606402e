import { compileFlow } from "@weft/engine";
import type { NodeServices } from "@weft/engine/node";
import type { ChatModel, ModelReference } from "@weft/engine/ports/chat-model";
import type { Clock } from "@weft/engine/ports/clock";
import type { Memory } from "@weft/engine/ports/memory";
import type { Tool } from "@weft/engine/ports/tool";
import { createTestProcess, createVirtualClock, noMemory, noServices } from "@weft/engine/testing";
import type { HistoryMessage, Json, RunEvent, RunEventOf, RunInput } from "@weft/schema";
import { nodeRegistry } from "../registry.ts";

export type TestNode = { id: string; type: string; label?: string; config?: object };

/** A native flow: a start node, and the given nodes one behind the other. */
export function chain(...nodes: TestNode[]): string {
  const all = [{ id: "start", type: "start" }, ...nodes];
  const edges = nodes.map((node, index) => ({ id: `e${index}`, source: all[index]?.id, target: node.id }));
  return JSON.stringify({ weft: 1, nodes: all, edges });
}

export type RunFlowOptions = {
  services?: Partial<NodeServices>;
  input?: RunInput;
  vars?: Record<string, Json>;
  /** Stored messages of the session. */
  stored?: HistoryMessage[];
  memory?: Partial<Memory>;
  live?: boolean;
  clock?: Clock;
};

/** A process that runs flows of the real node types, with an engine in memory. */
export function createFlowProcess(flow: string, options: RunFlowOptions = {}) {
  const { input = { question: "hello" }, stored = [], vars = {}, clock = createVirtualClock() } = options;
  const process = createTestProcess({
    flow,
    registry: nodeRegistry,
    input,
    limits: { wallTimeMs: Number.POSITIVE_INFINITY },
    deps: {
      clock,
      services: { ...noServices, ...options.services },
      memory: { ...noMemory, messages: async () => stored, ...options.memory },
      variables: { all: async () => vars },
    },
  });
  return { ...process, clock };
}

/** Runs a flow to its end. */
export async function runFlow(flow: string, options: RunFlowOptions = {}) {
  const process = createFlowProcess(flow, options);
  const outcome = await process.start({ live: options.live ?? false }).done;
  const events = process.events();
  const end = events.at(-1);
  return {
    outcome,
    events,
    deltas: process.deltas,
    text: end?.type === "run-completed" ? end.text : undefined,
    error: end?.type === "run-failed" ? end.error : undefined,
    outputOf: (nodeId: string) => completionOf(events, nodeId)?.output,
    warnings: events.flatMap((event) => (event.type === "run-warned" ? [event.message] : [])),
  };
}

export function completionOf(events: readonly RunEvent[], nodeId: string): RunEventOf<"node-completed"> | undefined {
  return events.find((event) => event.type === "node-completed" && event.nodeId === nodeId) as
    | RunEventOf<"node-completed">
    | undefined;
}

/** What stops a flow of these nodes from running. */
export function findingsOf(...nodes: TestNode[]) {
  return compileFlow(chain(...nodes), nodeRegistry).findings;
}

/** Services with one model; `asked` keeps what the nodes asked for. */
export function modelServices(model: ChatModel): Partial<NodeServices> & { asked: ModelReference[] } {
  const asked: ModelReference[] = [];
  return {
    asked,
    models: {
      resolve: async (reference) => {
        asked.push(reference);
        return model;
      },
    },
  };
}

/** Services with tools by their reference's type. */
export function toolServices(tools: Record<string, Tool[]>): Pick<NodeServices, "tools"> {
  return { tools: { resolve: async ({ type }) => tools[type] ?? [] } };
}
