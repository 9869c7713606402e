import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isTerminalEvent, type RunEvent, WeftError } from "@weft/schema";
import { runAgent } from "./agent/run-agent.ts";
import type { NodeContext } from "./node-type.ts";
import { LeaseLostError } from "./ports/journal.ts";
import type { Tool } from "./ports/tool.ts";
import type { RunHandle } from "./start-run.ts";
import { assertJournal, createFault, type Fault, faultyJournal, type Way, ways } from "./testing/fault.ts";
import { createMemoryJournal } from "./testing/memory-journal.ts";
import { createScriptedModel } from "./testing/scripted-model.ts";
import {
  type Behaviours,
  completed,
  createTestProcess,
  runId,
  type TestProcess,
  testFlow,
  valuesOf,
} from "./testing/test-process.ts";

/** Fails the k-th call of every port for every k, in every way, then recovers and asserts the guarantees. */
/** `children` holds the keys under which child runs were asked for. */
type World = { writes: Map<string, number>; children: Set<string> };
type Scenario = { flow: string; behaviours: (world: World, fault: Fault) => Behaviours };

async function write(context: NodeContext, world: World, fault: Fault, key: string) {
  return context.effect({ key, kind: "write", category: "http", name: `POST ${key}`, input: null }, () =>
    fault.around(async () => {
      const id = `${context.nodeKey}:${key}`;
      world.writes.set(id, (world.writes.get(id) ?? 0) + 1);
      return key;
    }),
  );
}

function writer(world: World, fault: Fault): Tool {
  return {
    name: "save",
    description: "Saves.",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    kind: "write",
    call: (args, info) =>
      fault.around(async () => {
        world.writes.set(info.idempotencyKey, (world.writes.get(info.idempotencyKey) ?? 0) + 1);
        return { content: `saved ${String(args.n)}` };
      }),
  };
}

const scenarios: Record<string, Scenario> = {
  straight: {
    flow: testFlow("start>a a>b"),
    behaviours: (world, fault) => ({
      a: async (context) => completed(await write(context, world, fault, "one")),
      b: async (context) => completed(await write(context, world, fault, "two")),
    }),
  },
  "branch and join": {
    flow: testFlow("start>a start>b a>join b>join"),
    behaviours: (world, fault) => ({
      a: async (context) => completed(await write(context, world, fault, "left")),
      b: async (context) => completed(await write(context, world, fault, "right")),
      join: async (context) => completed(await write(context, world, fault, "join")),
    }),
  },
  loop: {
    flow: testFlow("start>a a>b"),
    behaviours: (world, fault) => ({
      a: async (context) => completed(await write(context, world, fault, "pass")),
      b: (context) =>
        Number(context.render("{{ loop_count }}")) < 2 ? { type: "jump", to: "a", output: null } : completed("out"),
    }),
  },
  iteration: {
    flow: testFlow("start>each x@each"),
    behaviours: (world, fault) => ({
      each: (context) =>
        context.spawned ? completed(valuesOf(context.spawned)) : { type: "spawn", items: [1, 2, 3], concurrency: 2 },
      x: async (context) => completed(await write(context, world, fault, "item")),
    }),
  },
  "error port": {
    flow: testFlow("start>a a>b a:error>c"),
    behaviours: (world, fault) => ({
      a: async (context) => {
        await write(context, world, fault, "first");
        throw new WeftError("flow-node-failed", { params: { reason: "as planned" } });
      },
      c: async (context) => completed(await write(context, world, fault, "caught")),
    }),
  },
  tools: {
    flow: testFlow("start>a"),
    behaviours: (world, fault) => ({ a: savingAgent(fault, writer(world, fault)) }),
  },
  approval: {
    flow: testFlow("start>a"),
    behaviours: (world, fault) => ({ a: savingAgent(fault, { ...writer(world, fault), requiresApproval: true }) }),
  },
  "child flow": {
    flow: testFlow("start>a a>b"),
    behaviours: (world, fault) => ({
      a: async (context) =>
        completed(
          await context.effect(
            { key: "flow", kind: "idempotent", category: "flow", name: "agent-2", input: null },
            ({ idempotencyKey }) =>
              fault.around(async () => {
                world.children.add(idempotencyKey);
                return "answered";
              }),
          ),
        ),
      b: async (context) => completed(await write(context, world, fault, "after")),
    }),
  },
};

/** An agent that saves twice in one round and once in the next. */
function savingAgent(fault: Fault, tool: Tool): Behaviours[string] {
  const save = (n: number) => ({ name: "save", arguments: { n } });
  const scripted = createScriptedModel([
    { toolCalls: [save(1), save(2)] },
    { toolCalls: [save(3)] },
    { text: "all saved" },
  ]);
  const model = {
    id: "m",
    answer: (call: Parameters<typeof scripted.answer>[0]) => fault.around(() => scripted.answer(call)),
  };
  return async (context) => {
    const done = await runAgent(context, { model, messages: [], tools: [tool], parameters: {}, maxRounds: 5 });
    return done.type === "suspend" ? done : completed(done.answer ?? "");
  };
}

async function runWithFault(scenario: Scenario, at: number, way: Way) {
  const world: World = { writes: new Map(), children: new Set() };
  const journal = createMemoryJournal();
  const processWith = (fault: Fault) =>
    createTestProcess({
      flow: scenario.flow,
      behaviours: scenario.behaviours(world, fault),
      journal: faultyJournal(journal, fault),
      limits: { wallTimeMs: Number.POSITIVE_INFINITY },
    });
  const fault = createFault(at, way);
  const first = processWith(fault);
  await answerAll(first, first.start(), fault);
  const events = () => journal.events(runId);
  if (!events().some(isTerminalEvent)) {
    const never = createFault(-1, "error");
    const second = processWith(never);
    await answerAll(second, second.recover(), never);
  }
  return { events: events(), world, calls: fault.calls };
}

/** Lets everything through that a human is asked, until the run is over or its process has died. */
async function answerAll(process: TestProcess, begun: RunHandle, fault: Fault): Promise<void> {
  for (let handle = begun; ; ) {
    const done = handle.done.catch(() => undefined);
    const outcome = await Promise.race([done, fault.died]);
    if (outcome !== "suspended") return;
    const asked = process.events().findLast((event) => event.type === "node-suspended");
    assert.ok(asked?.type === "node-suspended");
    const { nodeKey, nodeId, wait } = asked;
    handle = process.recover({ resume: { nodeKey, nodeId, waitId: wait.waitId, answer: { type: "proceed" } } });
  }
}

function assertGuarantees(events: readonly RunEvent[], world: World, label: string): void {
  assertJournal(events, label);
  for (const [key, count] of world.writes) assert.equal(count, 1, `${label}: ${key} was written ${count} times`);
  assert.ok(world.children.size <= 1, `${label}: a child run was asked for under several keys`);
}

describe("faults at every port call", () => {
  for (const [name, scenario] of Object.entries(scenarios)) {
    it(`keeps the guarantees: ${name}`, async () => {
      const { calls, events } = await runWithFault(scenario, -1, "error");
      assert.ok(events.at(-1)?.type === "run-completed" || name === "error port");
      assert.ok(calls > 2);
      for (let at = 1; at <= calls; at += 1) {
        for (const way of ways) {
          const result = await runWithFault(scenario, at, way);
          assertGuarantees(result.events, result.world, `${name}, call ${at}, ${way}`);
        }
      }
    });
  }

  it("tells an agent's model when the outcome of a call is unknown, and does not repeat the call", async () => {
    const scenario = scenarios.tools as Scenario;
    const { events, world } = await runWithFault(scenario, 4, "crash-after");
    assert.ok(events.some((event) => event.type === "effect-finished" && !event.outcome.ok));
    assert.equal(events.at(-1)?.type, "run-completed");
    assert.deepEqual([...new Set(world.writes.values())], [1]);
  });

  it("asks a human before each call, and calls once what was allowed", async () => {
    const { events, world } = await runWithFault(scenarios.approval as Scenario, -1, "error");
    const order = events.flatMap((event) => {
      if (event.type === "node-suspended") return [`ask ${event.wait.key}`];
      return event.type === "effect-started" && event.category === "tool" ? [`call ${event.effectKey}`] : [];
    });
    const keys = ["tool-1-0", "tool-1-1", "tool-2-0"];
    assert.deepEqual(
      order,
      keys.flatMap((key) => [`ask ${key}`, `call ${key}`]),
    );
    assert.equal(world.writes.size, 3);
  });

  it("refuses the appends of a process that lost the run", async () => {
    const journal = createMemoryJournal();
    const epoch = journal.takeOver(runId);
    journal.takeOver(runId);
    await assert.rejects(journal.append({ runId, epoch, events: [] }), LeaseLostError);
  });
});
