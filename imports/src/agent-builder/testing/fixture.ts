import { readFileSync } from "node:fs";
import { readFlow } from "@weft/dialects";
import type { ImportedFlow, ImportFile } from "@weft/dialects/importer";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import type { FlowNode, JsonObject } from "@weft/schema";
import { importAgentBuilder } from "../index.ts";

/** A program of the fixtures, by its name without `.txt`. */
export function fixture(name: string): ImportFile {
  return { name, text: readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), "utf8") };
}

/** An imported program, with what tests ask of it. */
export function imported(...files: ImportFile[]) {
  const flow: ImportedFlow = importAgentBuilder(files);
  const nodes = new Map(flow.flow.nodes.map((node) => [node.id, node]));
  return {
    ...flow,
    /** `id type`, in the order in which they were drawn. */
    shape: flow.flow.nodes.map(({ id, type }) => `${id} ${type}`),
    edges: flow.flow.edges.map(({ source, sourcePort, target }) =>
      sourcePort === "out" ? `${source}>${target}` : `${source}:${sourcePort}>${target}`,
    ),
    codes: [...new Set(flow.findings.map(({ level, code }) => `${level} ${code}`))].toSorted(),
    node: (id: string): FlowNode | undefined => nodes.get(id),
    config: (id: string): JsonObject => nodes.get(id)?.config ?? {},
  };
}

/** A program as text, in TypeScript. */
export function script(text: string): ImportFile {
  return { name: "workflow.ts", text: `import { Agent, Runner, withTrace } from "@openai/agents";\n${text}` };
}

/** A workflow in TypeScript with the body, and with an agent `writer` and one `judge` that answers `{ok, score, tags}`. */
export function workflow(body: string): ImportFile {
  return script(`
const writer = new Agent({ name: "Writer", instructions: "Write.", model: "gpt-5" });
const judge = new Agent({ name: "Judge", instructions: "Judge.", model: "gpt-5", outputType: z.object({ ok: z.boolean(), score: z.number(), tags: z.array(z.string()), word: z.string() }) });
export const runWorkflow = async (workflow) => {
  const state = { topic: "tea", count: 1, note: null };
  const conversationHistory = [{ role: "user", content: [{ type: "input_text", text: workflow.input_as_text }] }];
  const runner = new Runner();
  ${body}
};`);
}

/** Runs the judge first, as an export writes it. */
export const judged = `const judgeResultTemp = await runner.run(judge, [...conversationHistory]);
  conversationHistory.push(...judgeResultTemp.newItems.map((item) => item.rawItem));
  const judgeResult = { output_text: JSON.stringify(judgeResultTemp.finalOutput), output_parsed: judgeResultTemp.finalOutput };`;

/** Findings of the native compiler, but those that only ask to choose a store, a tool or an agent. */
export function problemsOf({ flow }: ImportedFlow): string[] {
  const { findings } = compileFlow(JSON.stringify(flow), nodeRegistry, readFlow);
  return findings
    .filter(({ level, message }) => level === "error" && !/Choose a (document store|tool|n agent)/.test(message))
    .map(({ message }) => message);
}
