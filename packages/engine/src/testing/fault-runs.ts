import assert from "node:assert/strict";
import { isTerminalEvent, type Json, type RunEvent, type RunEventOf } from "@weft/schema";
import { RunFailure } from "../errors.ts";
import type { NodeContext, NodeServices } from "../node-type.ts";
import type { ChatModel } from "../ports/chat-model.ts";
import type { Clock } from "../ports/clock.ts";
import type { HttpRequest } from "../ports/http-client.ts";
import type { RunHandle, StartRunOptions } from "../start-run.ts";
import { createFault, type Fault, faultyClock, faultyJournal, noFault, type Port, type Way } from "./fault.ts";
import { createMemoryJournal, type MemoryJournal } from "./memory-journal.ts";
import { type Behaviours, createTestProcess, noServices, runId, type TestProcess } from "./test-process.ts";
import { createVirtualClock } from "./virtual-clock.ts";

/** What a fault cannot undo: the called services, the journals, and what people said. Processes come and go. */
export type World = {
  journal: MemoryJournal;
  /** How often something was written, by what. */
  writes: Map<string, number>;
  /** The `Idempotency-Key`s of what may be repeated, by what it is. */
  keys: Map<string, Set<string>>;
  /** How often an address was asked. */
  asked: Map<string, number>;
  /** The journals of the runs that were asked for. */
  children: Map<string, MemoryJournal>;
  /** Ends the run, as a person asks for it. What resolves is acknowledged. */
  cancel(): void;
  isCancelled: boolean;
  /** When the next process begins: what a process waits for comes while none works. */
  nowMs: number;
  /** Sentences about what must not have happened. */
  problems: string[];
};

export type Scenario = {
  flow: string;
  behaviours: (world: World) => Behaviours;
  /** The model of every step. */
  model?: ChatModel;
  /** The agent that steps may ask. */
  child?: Pick<Scenario, "flow" | "behaviours">;
  /** What a person answers; again after a restart with the opposite. Default: proceed, said once. */
  answers?: { first: Json; again: Json };
  live?: boolean;
  /** The first step waits for the session's turn. */
  waitsForTurn?: boolean;
  /** What the run ends with when nothing fails. */
  end: "run-completed" | "run-failed" | "run-cancelled";
  text?: string;
};

/** What a process saw and told. */
type Life = { process: TestProcess; fault: Fault; done: Promise<unknown> };

export type FaultyRun = {
  events: readonly RunEvent[];
  world: World;
  lives: readonly Life[];
  planned: readonly PlannedFault[];
  label: string;
};

/** A fault of one process: its `at`-th call fails. */
export type PlannedFault = { at: number; way: Way };

const patience = { wallTimeMs: Number.POSITIVE_INFINITY };

/**
 * Runs a scenario in one process after the other, each with the next fault, and the last without. Every process goes
 * on from the journal of the one before. What did not come back in a process that lived on comes back at the end.
 */
export async function runWithFaults(scenario: Scenario, planned: readonly PlannedFault[]): Promise<FaultyRun> {
  return runInWorld(scenario, createWorld(), planned);
}

/** Goes on with a run from the events of a process that is gone, whose finished writes took place. */
export async function goOnFrom(scenario: Scenario, events: readonly RunEvent[]): Promise<FaultyRun> {
  const world = createWorld();
  await world.journal.append({ runId, epoch: world.journal.takeOver(runId), events: [...events] });
  world.nowMs = events.at(-1)?.at ?? world.nowMs;
  for (const { nodeKey, effectKey, outcome } of events.filter((event) => event.type === "effect-finished")) {
    const started = events.find(
      (event) => event.type === "effect-started" && event.nodeKey === nodeKey && event.effectKey === effectKey,
    );
    const isWrite = started?.type === "effect-started" && started.kind === "write" && outcome.ok;
    if (isWrite) count(world.writes, writeOf(nodeKey, effectKey));
  }
  return runInWorld(scenario, world, []);
}

async function runInWorld(scenario: Scenario, world: World, planned: readonly PlannedFault[]): Promise<FaultyRun> {
  const lives: Life[] = [];
  const isOver = () => world.journal.events(runId).some(isTerminalEvent);
  for (const fault of [...planned.map(({ at, way }) => createFault(at, way)), noFault()]) {
    if (isOver()) break;
    const clock = createVirtualClock(world.nowMs);
    const process = createProcess(scenario, world, { fault, clock });
    lives.push({ process, fault, ...(await live(scenario, world, { process, fault, clock })) });
  }
  const events = structuredClone(world.journal.events(runId));
  for (const { fault, done } of lives) {
    fault.release();
    // A process that was given up finds out that it lost the run.
    if (fault.isGivenUp) await done;
  }
  const label = planned.map(({ at, way }) => `call ${at} ${way}`).join(", then ");
  return { events, world, lives, planned, label };
}

function createWorld(): World {
  return {
    journal: createMemoryJournal(),
    writes: new Map(),
    keys: new Map(),
    asked: new Map(),
    children: new Map(),
    cancel: () => undefined,
    isCancelled: false,
    nowMs: Date.UTC(2026, 0, 1),
    problems: [],
  };
}

type ProcessFacts = Pick<Scenario, "flow" | "behaviours" | "model" | "child">;

function createProcess(
  scenario: ProcessFacts,
  world: World,
  { fault, clock }: { fault: Fault; clock: Clock },
): TestProcess {
  return createTestProcess({
    flow: scenario.flow,
    behaviours: watched(scenario.behaviours(world), world, fault),
    journal: faultyJournal(world.journal, fault),
    limits: patience,
    deps: {
      clock: faultyClock(clock, fault),
      services: servicesOf(scenario, world, fault),
      memory: {
        messages: () => fault.around("memory", async () => [{ role: "userMessage", content: "before" }]),
        lastState: () => fault.around("memory", async () => ({ visits: 1 })),
      },
      variables: { all: () => fault.around("variables", async () => ({ place: "here" })) },
    },
  });
}

/** Steps that say when they begin although they must not. */
function watched(behaviours: Behaviours, world: World, fault: Fault): Behaviours {
  const watch = (behave: Behaviours[string]) => (context: NodeContext) => {
    const { nodeKey } = context;
    const isFinished = world.journal
      .events(context.run.runId)
      .some((event) => event.type === "node-completed" && event.nodeKey === nodeKey);
    if (isFinished && !fault.isGivenUp) world.problems.push(`the finished step ${nodeKey} ran again`);
    if (world.isCancelled && !fault.isGivenUp) world.problems.push(`the step ${nodeKey} began after the cancel`);
    return behave(context);
  };
  return Object.fromEntries(Object.entries(behaviours).map(([id, behave]) => [id, watch(behave)]));
}

function servicesOf(scenario: ProcessFacts, world: World, fault: Fault): NodeServices {
  const around = <T>(port: Port, call: () => Promise<T>) => {
    if (world.isCancelled && !fault.isGivenUp) world.problems.push(`${port} was called after the cancel`);
    return fault.around(port, call);
  };
  const { model } = scenario;
  return {
    ...noServices,
    models: {
      resolve: async () => {
        if (!model) throw new Error("The scenario has no model.");
        return { id: model.id, answer: (call) => around("model", () => model.answer(call)) };
      },
    },
    http: {
      request: (request) =>
        around("http", async () => {
          count(world.asked, request.url);
          if (request.method !== "GET") countWrite(world, request);
          const body = new TextEncoder().encode(`${request.method} ${request.url}`);
          return { status: 200, statusText: "OK", headers: {}, body, truncated: false, url: request.url };
        }),
    },
    sandbox: { run: ({ code }) => around("sandbox", async () => ({ ok: true, value: `did ${code}`, logs: [] })) },
    readCredential: () => around("credentials", async () => ({ token: "secret" })),
    retriever: {
      retrieve: () =>
        around("retriever", async () => ({ documents: [{ pageContent: "a passage", metadata: {} }], warnings: [] })),
    },
    childRuns: {
      run: ({ idempotencyKey }) => around("child runs", () => runChild(scenario, world, { fault, idempotencyKey })),
    },
    tools: { resolve: async () => [] },
  };
}

function count(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

/** A service that honours the key writes once, however often it is asked; it must be the same key each time. */
function countWrite(world: World, { url, headers }: HttpRequest): void {
  const key = headers?.["idempotency-key"];
  if (key === undefined) {
    count(world.writes, url);
    return;
  }
  const keys = world.keys.get(url) ?? new Set();
  world.keys.set(url, keys.add(key));
}

/** More than any planned faults could need. */
const maxChildAttempts = 10;

/** A run of another agent in the same process, found again under its key. One that another process took is waited for. */
async function runChild(
  { child }: ProcessFacts,
  world: World,
  { fault, idempotencyKey }: { fault: Fault; idempotencyKey: string },
) {
  if (!child) throw new Error("The scenario has no other agent.");
  const journal = world.children.get(idempotencyKey) ?? createMemoryJournal();
  world.children.set(idempotencyKey, journal);
  for (let attempts = 0; ; attempts += 1) {
    const end = journal.events(runId).find(isTerminalEvent);
    if (end?.type === "run-completed") return { text: end.text, runId: idempotencyKey };
    if (end?.type === "run-failed") throw new RunFailure({ ...end.error, retryable: false });
    assert.ok(end === undefined && attempts < maxChildAttempts, "the child run does not come to an end");
    const process = createProcess(child, { ...world, journal }, { fault, clock: createVirtualClock(world.nowMs) });
    await process.recover().done.catch(() => undefined);
  }
}

/** Lives until the run is over or the process is gone, and answers what a person is asked meanwhile. */
async function live(
  scenario: Scenario,
  world: World,
  { process, fault, clock }: Omit<Life, "done"> & { clock: Clock },
): Promise<Pick<Life, "done">> {
  const events = () => world.journal.events(runId);
  const turn = scenario.waitsForTurn ? { turn: Promise.resolve() } : {};
  const more: Partial<StartRunOptions> = { live: scenario.live ?? false, ...turn };
  const isNew = events().length === 0;
  let handle = isNew ? process.start(more) : process.recover({ ...more, ...repeatedAnswer(scenario, events()) });
  for (;;) {
    const done = follow(world, handle);
    const outcome = await Promise.race([done, fault.died]);
    if (outcome !== "suspended") return { done };
    const { dueAt } = suspensionIn(events());
    if (dueAt === undefined) {
      handle = process.recover({ ...more, resume: answerTo(events(), scenario.answers?.first ?? { type: "proceed" }) });
      continue;
    }
    // Nobody works on the run until then.
    world.nowMs = dueAt;
    await clock.sleep(dueAt - clock.now(), new AbortController().signal);
    handle = process.recover(more);
  }
}

function follow(world: World, handle: RunHandle): Promise<unknown> {
  world.cancel = () => {
    world.isCancelled = true;
    handle.cancel();
  };
  if (world.isCancelled) handle.cancel();
  return handle.done.catch((cause: unknown) => cause);
}

function suspensionIn(events: readonly RunEvent[]): RunEventOf<"run-suspended"> {
  const last = events.at(-1);
  assert.ok(last?.type === "run-suspended");
  return last;
}

function answerTo(events: readonly RunEvent[], answer: Json): NonNullable<StartRunOptions["resume"]> {
  const asked = events.findLast((event) => event.type === "node-suspended");
  assert.ok(asked?.type === "node-suspended");
  const { nodeKey, nodeId, wait } = asked;
  return { nodeKey, nodeId, waitId: wait.waitId, answer };
}

/** A caller that does not know whether the answer arrived sends it again, or another one. */
function repeatedAnswer({ answers }: Scenario, events: readonly RunEvent[]): Pick<StartRunOptions, "resume"> {
  if (!answers || !events.some((event) => event.type === "node-resumed")) return {};
  return { resume: answerTo(events, answers.again) };
}

/** The address that an effect writes to. */
export const writeOf = (nodeKey: string, effectKey: string) => `http://api.test/${nodeKey}/${effectKey}`;
