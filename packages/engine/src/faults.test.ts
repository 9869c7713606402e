import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isTerminalEvent, type RunEvent, WeftError } from "@weft/schema";
import { runAgent } from "./agent/run-agent.ts";
import type { NodeContext } from "./node-type.ts";
import { type JournalBatch, LeaseLostError } from "./ports/journal.ts";
import type { Tool } from "./ports/tool.ts";
import { createMemoryJournal, type MemoryJournal } from "./testing/memory-journal.ts";
import { createScriptedModel } from "./testing/scripted-model.ts";
import { type Behaviours, completed, createTestProcess, runId, testFlow } from "./testing/test-process.ts";

/**
 * Fails the k-th call of every port for every k, in every way, then recovers and asserts the guarantees:
 * one terminal event, dense sequence numbers, no finished effect repeated, no write attempted twice.
 */
type Way = "error" | "crash-before" | "crash-after" | "hang";
const ways: readonly Way[] = ["error", "crash-before", "crash-after", "hang"];

class Crash extends Error {}

/** Counts calls of all ports and makes one of them fail. After a crash or a hang nothing of this process happens. */
class Fault {
  calls = 0;
  isDead = false;
  readonly died = Promise.withResolvers<void>();
  readonly at: number;
  readonly way: Way;

  constructor(at: number, way: Way) {
    this.at = at;
    this.way = way;
  }

  async around<T>(call: () => Promise<T>): Promise<T> {
    if (this.isDead) return new Promise<T>(() => undefined);
    this.calls += 1;
    if (this.calls !== this.at) return call();
    if (this.way === "error") throw new WeftError("egress-failed", { params: { url: "port", reason: "injected" } });
    if (this.way === "crash-after") await call();
    return this.die();
  }

  private die<T>(): Promise<T> {
    this.isDead = true;
    this.died.resolve();
    return new Promise<T>(() => undefined);
  }
}

type World = { writes: Map<string, number>; reads: number };
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
        context.spawned ? completed([...context.spawned]) : { type: "spawn", items: [1, 2, 3], concurrency: 2 },
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
    behaviours: (world, fault) => {
      const scripted = createScriptedModel([
        {
          toolCalls: [
            { name: "save", arguments: { n: 1 } },
            { name: "save", arguments: { n: 2 } },
          ],
        },
        { toolCalls: [{ name: "save", arguments: { n: 3 } }] },
        { text: "all saved" },
      ]);
      const model = {
        id: "m",
        answer: (call: Parameters<typeof scripted.answer>[0]) => fault.around(() => scripted.answer(call)),
      };
      return {
        a: async (context) => {
          const tools = [writer(world, fault)];
          const done = await runAgent(context, { model, messages: [], tools, parameters: {}, maxRounds: 5 });
          return completed(done.answer ?? "");
        },
      };
    },
  },
};

function failingJournal(journal: MemoryJournal, fault: Fault): MemoryJournal {
  return { ...journal, append: (batch: JournalBatch) => fault.around(() => journal.append(batch)) };
}

async function runWithFault(scenario: Scenario, at: number, way: Way) {
  const world: World = { writes: new Map(), reads: 0 };
  const journal = createMemoryJournal();
  const fault = new Fault(at, way);
  const first = createTestProcess({
    flow: scenario.flow,
    behaviours: scenario.behaviours(world, fault),
    journal: failingJournal(journal, fault),
    limits: { wallTimeMs: Number.POSITIVE_INFINITY },
  });
  const handle = first.start();
  await Promise.race([handle.done.catch((cause: unknown) => assert.ok(!(cause instanceof Crash))), fault.died.promise]);
  const events = () => journal.events(runId);
  if (!events().some(isTerminalEvent)) {
    const never = new Fault(-1, "error");
    const second = createTestProcess({ flow: scenario.flow, behaviours: scenario.behaviours(world, never), journal });
    await second.recover().done;
  }
  return { events: events(), world, calls: fault.calls };
}

function assertGuarantees(events: readonly RunEvent[], world: World, label: string): void {
  assert.equal(events.filter(isTerminalEvent).length, 1, `${label}: one terminal event`);
  assert.ok(events.at(-1) && isTerminalEvent(events.at(-1) as RunEvent), `${label}: it is the last`);
  for (const [index, event] of events.entries()) assert.equal(event.seq, index + 1, `${label}: dense`);
  for (const [key, count] of world.writes) assert.equal(count, 1, `${label}: ${key} was written ${count} times`);
  const finished = new Set<string>();
  for (const event of events) {
    if (event.type !== "effect-finished") continue;
    const id = `${event.nodeKey}:${event.effectKey}`;
    assert.ok(!finished.has(id) || event.effectKey.startsWith("model"), `${label}: ${id} finished twice`);
    finished.add(id);
  }
  const started = events.filter((event) => event.type === "node-started").map((event) => event.nodeKey);
  assert.equal(new Set(started).size, started.length, `${label}: a step started twice`);
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

  it("refuses the appends of a process that lost the run", async () => {
    const journal = createMemoryJournal();
    const epoch = journal.takeOver(runId);
    journal.takeOver(runId);
    await assert.rejects(journal.append({ runId, epoch, events: [] }), LeaseLostError);
  });
});
