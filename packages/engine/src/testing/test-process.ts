import { type FlowEdge, type FlowNode, type Json, type RunEvent, type RunInput, WeftError } from "@weft/schema";
import { z } from "zod";
import { compileFlow } from "../flow/compile-flow.ts";
import { defineNode, type ItemOutcome, type NodeContext, type NodeRegistry, type NodeResult } from "../node-type.ts";
import type { TextDelta } from "../ports/observer.ts";
import { defaultRunLimits, type RunLimits } from "../run/run-budget.ts";
import { type EngineDeps, type RunHandle, type StartRunOptions, startRun } from "../start-run.ts";
import { createMemoryJournal, type MemoryJournal } from "./memory-journal.ts";
import { createCountingIds, createVirtualClock } from "./virtual-clock.ts";

/** Behaviour of the nodes of a test flow, by node id. */
export type Behaviours = Record<string, (context: NodeContext) => Promise<NodeResult> | NodeResult>;

export const completed = (output: Json, more: object = {}): NodeResult => ({ type: "completed", output, ...more });

/** Results of the items of a sub-flow, none of which failed. */
export function valuesOf(items: readonly ItemOutcome[]): Json[] {
  return items.map((item) => {
    if (item.ok) return item.value;
    throw new Error(item.error.message);
  });
}

const facts = { version: 1, title: "Step", summary: "A step of a test." };
const config = z.object({ text: z.string().optional().meta({ template: true }) });
const outputs = ["out", "left", "right"].map((id) => ({ id, title: id }));
const behave = async () => completed(null);
/** Made once: thousands of processes share them. */
const testTypes: NodeRegistry = {
  start: defineNode({ ...facts, type: "start", group: "start", answers: "never", config, execute: behave }),
  step: defineNode({ ...facts, type: "step", group: "logic", config, ports: outputs, execute: behave }),
  reply: defineNode({ ...facts, type: "reply", group: "answer", answers: "reply", config, execute: behave }),
};

/** A registry of one start type and one type whose nodes behave as told. */
export function testRegistry(behaviours: Behaviours): NodeRegistry {
  const execute = async (context: NodeContext) =>
    (await behaviours[context.nodeId]?.(context)) ?? completed(`${context.nodeId} ran`);
  return Object.fromEntries(Object.entries(testTypes).map(([name, type]) => [name, { ...type, execute }]));
}

/** `a>b`, `a:left>b`: edges by node ids. Nodes named `reply…` are replies, `x@y` lies in the sub-flow of `y`. */
export function testFlow(edges: string, configs: Record<string, object> = {}): string {
  const nodes = new Map<string, FlowNode>();
  const node = (text: string): string => {
    const [id = "", parent] = text.split("@");
    const type = id === "start" ? "start" : id.startsWith("reply") ? "reply" : "step";
    const config = (configs[id] ?? {}) as FlowNode["config"];
    const base: FlowNode = { id, type, version: 1, label: id, position: { x: 0, y: 0 }, config };
    if (!nodes.has(id)) nodes.set(id, parent === undefined ? base : { ...base, parent });
    return id;
  };
  const list: FlowEdge[] = [];
  for (const [index, text] of edges.split(/\s+/).entries()) {
    const [from = "", to] = text.split(">");
    const [source = "", sourcePort = "out"] = from.split(":");
    const sourceId = node(source);
    if (to) list.push({ id: `e${index}`, source: sourceId, sourcePort, target: node(to) });
  }
  return JSON.stringify({ weft: 1, nodes: [...nodes.values()], edges: list });
}

export type TestProcess = {
  start(options?: Partial<StartRunOptions>): RunHandle;
  /** Takes the run over in a new process: whatever the old one still does is refused. */
  recover(options?: Partial<StartRunOptions>): RunHandle;
  events(): RunEvent[];
  journal: MemoryJournal;
  committed: RunEvent[];
  deltas: TextDelta[];
  bugs: unknown[];
};

export type TestProcessOptions = {
  flow: string;
  behaviours?: Behaviours;
  registry?: NodeRegistry;
  limits?: Partial<RunLimits>;
  question?: string;
  /** What the run is asked, when it is more than a question. */
  input?: RunInput;
  deps?: Partial<EngineDeps>;
  journal?: MemoryJournal;
};

export const runId = "run-1";

/** The engine with ports that need no outside: virtual time, a journal in memory, behaviours instead of vendors. */
export function createTestProcess(options: TestProcessOptions): TestProcess {
  const journal = options.journal ?? createMemoryJournal();
  const flow = compileFlow(options.flow, options.registry ?? testRegistry(options.behaviours ?? {}));
  const errors = flow.findings.filter((finding) => finding.level === "error");
  if (errors.length > 0) throw new Error(errors.map((finding) => finding.message).join("; "));
  const input = options.input ?? { question: options.question ?? "hello" };
  const record = { committed: [] as RunEvent[], deltas: [] as TextDelta[], bugs: [] as unknown[] };
  const deps: EngineDeps = {
    journal,
    observer: {
      committed: (_runId, events) => record.committed.push(...events),
      delta: (delta) => record.deltas.push(delta),
    },
    clock: createVirtualClock(),
    ids: createCountingIds(),
    services: noServices,
    memory: noMemory,
    variables: { all: async () => ({}) },
    limits: { ...defaultRunLimits, ...options.limits },
    onBug: (cause) => record.bugs.push(cause),
    ...options.deps,
  };
  return {
    ...record,
    journal,
    events: () => journal.events(runId),
    start(more = {}) {
      const epoch = journal.takeOver(runId);
      return startRun(deps, { runId, epoch, flow, begin: runStarted(input), live: false, ...more });
    },
    recover(more = {}) {
      const epoch = journal.takeOver(runId);
      const events = structuredClone(journal.events(runId));
      const begin = events.length === 0 ? { begin: runStarted(input) } : {};
      return startRun(deps, { runId, epoch, flow, events, live: false, ...begin, ...more });
    },
  };
}

function runStarted(input: RunInput) {
  return {
    type: "run-started",
    agentId: "agent-1",
    flowVersionId: "version-1",
    chatId: "chat-1",
    sessionId: "session-1",
    chatType: "EXTERNAL",
    userMessageId: "user-message-1",
    apiMessageId: "api-message-1",
    input,
    depth: 0,
  } as const;
}

const unavailable = () =>
  Promise.reject(new WeftError("tool-invalid", { params: { name: "test", reason: "not here" } }));

/** Services that answer nothing: a test lays those over it that it means to use. */
export const noServices: EngineDeps["services"] = {
  models: { resolve: unavailable },
  tools: { resolve: unavailable },
  http: { request: unavailable },
  sql: { run: unavailable, describe: unavailable, effectOf: () => "destructive" },
  sandbox: { run: unavailable },
  readCredential: unavailable,
  files: { read: unavailable },
  retriever: { retrieve: unavailable },
  documentWriter: { write: unavailable },
  childRuns: { run: unavailable },
  people: { askForPerson: unavailable },
};

/** A session without a past. */
export const noMemory: EngineDeps["memory"] = { messages: async () => [], lastState: async () => ({}) };
