import { type CompiledFlow, compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import { type FlowOfNode, flowOf } from "../../../packages/nodes/src/testing/flow-of.ts";
import type { Random } from "../../chaos/house/random.ts";
import { urlOf } from "../world/outside.ts";

/** An edge that leads nowhere yet: a node, and the port where it has several. */
type OpenEnd = string;

type Draft = {
  nodes: Record<string, FlowOfNode>;
  edges: string[];
  prefix: string;
  count: number;
  /** One at most: the count of passes that names the calls of a step is that of all loops together. */
  hasLoop: boolean;
};

type Part = (draft: Draft, from: OpenEnd[], random: Random) => OpenEnd[];

/** A random flow of the platform's own node types. Its nodes' ids begin with `prefix`, so that a step tells its version. */
export function randomFlow(random: Random, prefix: string): CompiledFlow {
  const draft: Draft = { nodes: {}, edges: [], prefix, count: 0, hasLoop: false };
  let ends: OpenEnd[] = ["start"];
  for (let left = random.between(1, 4); left > 0; left -= 1) ends = random.pick(parts)(draft, ends, random);
  add(draft, ends, { type: "direct-reply", config: { message: "done {{ question }}" } });
  const flow = compileFlow(flowOf(draft.nodes, draft.edges.join(" ")), nodeRegistry);
  const errors = flow.findings.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join(" "));
  return flow;
}

function add(draft: Draft, from: readonly OpenEnd[], node: FlowOfNode): string {
  const id = nextId(draft);
  draft.nodes[id] = node;
  for (const end of from) draft.edges.push(`${end}>${id}`);
  return id;
}

function nextId(draft: Draft): string {
  draft.count += 1;
  return `${draft.prefix}n${draft.count}`;
}

/** One step that asks the world, in a loop or not. */
function step(draft: Draft, from: readonly OpenEnd[], { random, isInLoop }: { random: Random; isInLoop: boolean }) {
  const url = urlOf(`${draft.prefix}n${draft.count + 1}`, isInLoop);
  const http = (config: object): FlowOfNode => ({ type: "http", config: { url, responseType: "text", ...config } });
  const kinds: (() => FlowOfNode)[] = [
    () => ({ type: "llm", config: { prompt: url, memory: { type: "off" } } }),
    () => http({ method: "POST" }),
    () => http({ method: "POST", idempotent: true, onFailure: { retries: 2, retryDelayMs: 500 } }),
    () => http({ method: "GET", onFailure: { retries: 2, retryDelayMs: 500 } }),
  ];
  return add(draft, from, random.pick(kinds)());
}

const single: Part = (draft, from, random) => [step(draft, from, { random, isInLoop: false })];

const parallel: Part = (draft, from, random) =>
  Array.from({ length: random.between(2, 3) }, () => step(draft, from, { random, isInLoop: false }));

const looped: Part = (draft, from, random) => {
  if (draft.hasLoop) return single(draft, from, random);
  draft.hasLoop = true;
  const first = step(draft, from, { random, isInLoop: true });
  const last = random.next() < 0.5 ? first : step(draft, [first], { random, isInLoop: true });
  return [add(draft, [last], { type: "loop", config: { target: first, times: random.between(1, 2) } })];
};

const branched: Part = (draft, from, random) => {
  const conditions = [{ type: "string", left: "{{ question }}", operation: "contains", right: "7" }];
  const choice = add(draft, from, { type: "condition", config: { branches: [{ id: "yes", conditions }] } });
  return [`${choice}:yes`, `${choice}:else`].map((end) => step(draft, [end], { random, isInLoop: false }));
};

const waiting: Part = (draft, from, random) => {
  const amount = random.pick(["0.4", "2", "20", "75"]);
  return [add(draft, from, { type: "wait", config: { amount, unit: "seconds" } })];
};

const asking: Part = (draft, from, random) => {
  const asked = add(draft, from, { type: "human-input", config: { question: "May it go on?" } });
  return [step(draft, [`${asked}:proceed`], { random, isInLoop: false }), `${asked}:reject`];
};

const parts: readonly Part[] = [single, single, single, parallel, looped, branched, waiting, asking];
