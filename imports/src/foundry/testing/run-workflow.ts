import { readFileSync } from "node:fs";
import type { ImportedFlow } from "@weft/dialects/importer";
import { compileFlow, openWaits, reviewNodes } from "@weft/engine";
import type { NodeServices } from "@weft/engine/node";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import { createScriptedModel, createTestProcess, noServices, type ScriptedStep } from "@weft/engine/testing";
import { nodeRegistry } from "@weft/nodes";
import { createSandbox } from "@weft/sandbox";
import type { Finding, Json, JsonObject } from "@weft/schema";
import { importFoundry } from "../index.ts";

export function fixture(name: string): { name: string; text: string } {
  return { name, text: readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8") };
}

export function importFixtures(...names: string[]): ImportedFlow {
  return importFoundry(names.map(fixture));
}

/** An import of YAML text, as of one workflow file. */
export function importText(text: string): ImportedFlow {
  return importFoundry([{ name: "test.yaml", text }]);
}

/** Errors of a flow once it is compiled, its own findings included. */
export function errorsOf({ flow, findings }: ImportedFlow): string[] {
  const compiled = compileFlow(JSON.stringify(flow), nodeRegistry);
  const all: readonly Finding[] = [...findings, ...compiled.findings, ...reviewNodes(compiled.graph)];
  return all.filter(({ level }) => level === "error").map(({ code, message }) => `${code}: ${message}`);
}

export const codesOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ level, code }) => `${level} ${code}`);

export function nodeOf({ flow }: ImportedFlow, id: string) {
  const node = flow.nodes.find((candidate) => candidate.id === id);
  if (!node) throw new Error(`The flow has no node ${id}.`);
  return node;
}

const sandbox = createSandbox({ workers: 1 });
export const closeSandbox = () => sandbox.close();

export type Run = {
  question?: string;
  /** What the model says, call by call. */
  script?: ScriptedStep[];
  /** What the person says, question by question. An object is a decision. */
  answers?: (string | JsonObject)[];
  services?: Partial<NodeServices>;
  vars?: Record<string, Json>;
};

/** Runs a flow to its end with the real nodes, the engine and the sandbox. */
export async function run(imported: ImportedFlow, options: Run = {}) {
  const { question = "hello", script = [], answers = [], services = {}, vars = {} } = options;
  const calls: ModelCall[] = [];
  const model: ChatModel = {
    id: "scripted/model",
    answer: (call) => createScriptedModel([script[calls.push(call) - 1] ?? {}]).answer(call),
  };
  const process = createTestProcess({
    flow: JSON.stringify(imported.flow),
    registry: nodeRegistry,
    input: { question },
    limits: { wallTimeMs: Number.POSITIVE_INFINITY },
    deps: {
      services: { ...noServices, models: { resolve: async () => model }, sandbox, ...services },
      variables: { all: async () => vars },
    },
  });
  let handle = process.start();
  const asked: string[] = [];
  for (const answer of answers) {
    if ((await handle.done) !== "suspended") break;
    const [open] = openWaits(handle.state);
    if (!open) break;
    asked.push(open.wait.text);
    const given = typeof answer === "string" ? { type: "proceed", feedback: answer } : answer;
    const resume = { nodeKey: open.nodeKey, nodeId: open.wait.nodeId, waitId: open.wait.waitId, answer: given };
    handle = process.recover({ resume });
  }
  const outcome = await handle.done;
  const events = process.events();
  const end = events.at(-1);
  return {
    outcome,
    asked,
    calls,
    prompts: calls.map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`)),
    state: handle.state.flowState,
    text: end?.type === "run-completed" ? end.text : undefined,
    said: handle.state.said.map(({ text }) => text),
    error: end?.type === "run-failed" ? end.error.message : undefined,
    order: events.flatMap((event) => (event.type === "node-completed" ? [event.nodeId] : [])),
    warnings: events.flatMap((event) => (event.type === "run-warned" ? [event.message] : [])),
  };
}
