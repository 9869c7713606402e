import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Json, type RunEvent, WeftError } from "@weft/schema";
import fc from "fast-check";
import { compileFlow } from "./flow/compile-flow.ts";
import type { Graph } from "./flow/graph.ts";
import type { NodeContext, NodeResult } from "./node-type.ts";
import { applyEvent } from "./run/fold.ts";
import { emptyRunState } from "./run/run-state.ts";
import type { RunHandle } from "./start-run.ts";
import { createMemoryJournal } from "./testing/memory-journal.ts";
import { type Behaviours, createTestProcess, runId, testFlow, testRegistry } from "./testing/test-process.ts";
import { createVirtualClock } from "./testing/virtual-clock.ts";

/** Runs of random flows against an oracle of a few lines. */
type RandomNode = {
  /** What it does at its end: takes these ports, or fails. */
  ports: string[] | "fails";
  reads: number;
  setsState: boolean;
  /** How long it waits before it does anything, and lets go of the run where that is long. */
  waitMs: number;
  /** Where its edges lead: how many nodes further, and from which port. */
  edges: { ahead: number; port: string }[];
};
type RandomFlow = { nodes: RandomNode[]; concurrency: number };

const randomFlow: fc.Arbitrary<RandomFlow> = fc.record({
  nodes: fc.array(
    fc.record({
      ports: fc.oneof(
        { weight: 5, arbitrary: fc.subarray(["out", "left", "right"], { minLength: 0 }) },
        { weight: 1, arbitrary: fc.constant("fails" as const) },
      ),
      reads: fc.nat({ max: 2 }),
      setsState: fc.boolean(),
      waitMs: fc.constantFrom(0, 0, 0, 300, 5_000, 7_200_000),
      edges: fc.array(
        fc.record({ ahead: fc.integer({ min: 1, max: 4 }), port: fc.constantFrom("out", "left", "right", "error") }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    { minLength: 1, maxLength: 9 },
  ),
  concurrency: fc.integer({ min: 1, max: 4 }),
});

type Edge = { source: string; port: string; target: string };

/** Nodes `n0 …` in topological order, then one reply that every node may reach and that always runs. */
function edgesOf({ nodes }: RandomFlow): Edge[] {
  const edges: Edge[] = [
    { source: "start", port: "out", target: "n0" },
    { source: "start", port: "out", target: "reply" },
  ];
  for (const [index, node] of nodes.entries()) {
    edges.push({ source: `n${index}`, port: "out", target: "reply" });
    if (node.ports === "fails") edges.push({ source: `n${index}`, port: "error", target: "reply" });
    for (const { ahead, port } of node.edges) {
      if (index + ahead < nodes.length) edges.push({ source: `n${index}`, port, target: `n${index + ahead}` });
    }
  }
  return edges;
}

/** The oracle: a node runs iff an edge from a taken port of a node that runs leads to it. */
function expectedNodes(flow: RandomFlow): string[] {
  const running = new Set(["start"]);
  const taken = (edge: Edge): boolean => {
    if (edge.source === "start") return true;
    const ports = flow.nodes[Number(edge.source.slice(1))]?.ports ?? [];
    return ports === "fails" ? edge.port === "error" : ports.includes(edge.port);
  };
  const edges = edgesOf(flow);
  for (const id of [...flow.nodes.map((_, index) => `n${index}`), "reply"]) {
    if (edges.some((edge) => edge.target === id && running.has(edge.source) && taken(edge))) running.add(id);
  }
  return [...running].sort();
}

function flowText(flow: RandomFlow): string {
  return testFlow(
    edgesOf(flow)
      .map(({ source, port, target }) => `${source}:${port}>${target}`)
      .join(" "),
  );
}

function behavioursOf(flow: RandomFlow): Behaviours {
  const behaviours: Behaviours = {
    reply: (context) => ({ type: "completed", output: answerOf(flow, context) }),
  };
  for (const [index, node] of flow.nodes.entries()) {
    behaviours[`n${index}`] = (context) => runNode(context, node, index);
  }
  return behaviours;
}

function answerOf(flow: RandomFlow, context: NodeContext): string {
  const seen = flow.nodes.map((_, index) => context.renderText(`{{ n${index} }}`));
  return `${seen.join("|")} ${JSON.stringify(Object.entries(context.state).sort())}`;
}

async function runNode(context: NodeContext, node: RandomNode, index: number): Promise<NodeResult> {
  if (node.waitMs > 0 && context.answer === undefined) {
    return { type: "suspend", text: "", details: {}, until: context.now() + node.waitMs, asks: false };
  }
  let sum = index;
  for (let read = 0; read < node.reads; read += 1) {
    const spec = { key: `r${read}`, kind: "read", category: "http", name: "GET", input: null } as const;
    sum += await context.effect(spec, async () => {
      for (let turn = 0; turn < (index * 7) % 5; turn += 1) await null;
      return read + 1;
    });
  }
  if (node.ports === "fails") throw new WeftError("flow-node-failed", { params: { reason: `failed ${sum}` } });
  const state = node.setsState ? { state: { [`s${index}`]: sum } } : {};
  return { type: "branch", ports: node.ports, output: sum, ...state };
}

function startedNodes(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => (event.type === "node-started" ? [event.nodeId] : [])).sort();
}

function textOf(events: readonly RunEvent[]): Json {
  const end = events.at(-1);
  assert.equal(end?.type, "run-completed");
  return end?.type === "run-completed" ? end.text : null;
}

function fold(events: readonly RunEvent[], graph: Graph) {
  const state = emptyRunState();
  for (const event of structuredClone(events)) applyEvent(state, graph, event);
  return state;
}

function processOf(flow: RandomFlow, journal = createMemoryJournal()) {
  const limits = { concurrency: flow.concurrency };
  const clock = createVirtualClock();
  const parts = { flow: flowText(flow), behaviours: behavioursOf(flow), journal, limits, deps: { clock } };
  return { ...createTestProcess(parts), clock };
}

/** Goes on with the run, whenever a wait of it is over, until it ends. */
async function finish({ clock, events, recover }: ReturnType<typeof processOf>, begun: RunHandle): Promise<RunHandle> {
  let run = begun;
  while ((await run.done) === "suspended") {
    const last = events().at(-1);
    assert.ok(last?.type === "run-suspended" && last.dueAt !== undefined);
    await clock.sleep(Math.max(0, last.dueAt - clock.now()), new AbortController().signal);
    run = recover();
  }
  assert.equal(await run.done, "completed");
  return run;
}

describe("random flows", () => {
  it("run exactly the nodes that taken ports lead to, once each", async () => {
    const property = fc.asyncProperty(randomFlow, async (flow) => {
      const process = processOf(flow);
      await finish(process, process.start());
      assert.deepEqual(startedNodes(process.events()), expectedNodes(flow));
      assert.deepEqual(process.bugs, []);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it("leave a journal whose fold is the run's state", async () => {
    const property = fc.asyncProperty(randomFlow, async (flow) => {
      const process = processOf(flow);
      const { graph } = compileFlow(flowText(flow), testRegistry(behavioursOf(flow)));
      const run = await finish(process, process.start());
      assert.deepEqual(run.state, fold(process.events(), graph));
    });
    await fc.assert(property, { numRuns: 50 });
  });

  it("reach the same answer from every prefix of the journal", async () => {
    const property = fc.asyncProperty(randomFlow, async (flow) => {
      const whole = processOf(flow);
      await finish(whole, whole.start());
      const events = whole.events();
      for (let length = 0; length < events.length; length += 1) {
        const journal = createMemoryJournal();
        const prefix = events.slice(0, length);
        if (length > 0) await journal.append({ runId, epoch: journal.takeOver(runId), events: prefix });
        const recovered = processOf(flow, journal);
        await finish(recovered, recovered.recover());
        assert.deepEqual(recovered.events().slice(0, length), prefix);
        assert.equal(textOf(recovered.events()), textOf(events));
        assert.deepEqual(startedNodes(recovered.events()), expectedNodes(flow));
      }
    });
    await fc.assert(property, { numRuns: 15 });
  });
});
