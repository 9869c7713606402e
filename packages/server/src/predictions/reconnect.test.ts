import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type CompiledFlow, compileFlow } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import type { ChatModel } from "@weft/engine/ports/chat-model";
import type { TextDelta } from "@weft/engine/ports/observer";
import type { Tool } from "@weft/engine/ports/tool";
import { createMemoryJournal, createTestProcess, noServices, runId } from "@weft/engine/testing";
import type { Frame } from "@weft/http/event-stream";
import { everything } from "@weft/http/identity";
import { createLogger } from "@weft/http/logger";
import { nodeRegistry } from "@weft/nodes";
import { createRunBroadcast, createRunTail, type RunRow, systemClock } from "@weft/run-host";
import { isTerminalEvent, type RunEvent, WeftError } from "@weft/schema";
import fc from "fast-check";
import { createAttachService, createOpenStreams } from "./attach.service.ts";
import { createFrameWriter } from "./stream-frames.ts";
import { openReader, readFrames } from "./testing/stream-client.ts";

/**
 * A client that is cut off after any frame, or within any token, and comes back at any later moment, has what a client
 * has that stayed. The runs are the engine's, of the real node types, recorded moment by moment; models, the speed of
 * the disk, cancels and crashes are drawn at random.
 */
type Moment = { events: readonly RunEvent[] } | { delta: TextDelta } | "crash";

/** One answer of a model: pieces with pauses of so many turns between them. */
type Say = { pieces: string[]; pauses: number[]; end: "text" | "failure" | "calls" };
type Plan = { shape: keyof typeof shapes; says: Say[]; commitTurns: number[]; cancelAt: number; crashAt: number };

const model = (name: string) => ({
  model: { provider: "openai", model: name },
  onFailure: { retries: 1, retryDelayMs: 0 },
});
const node = (id: string, type: string, config: object = model(id)) => ({ id, type, label: id, config });
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target });
const start = { id: "start", type: "start" };
const tools = [{ type: "look" }, { type: "save" }];

const shapes = {
  "one model": { nodes: [start, node("a", "llm")], edges: [edge("start", "a")] },
  "two beside each other, then one": {
    nodes: [start, node("a", "llm"), node("b", "llm"), node("c", "llm")],
    edges: [edge("start", "a"), edge("start", "b"), edge("a", "c"), edge("b", "c")],
  },
  "two that may answer": {
    nodes: [start, node("a", "llm"), node("b", "llm")],
    edges: [edge("start", "a"), edge("start", "b")],
  },
  "one that answers beside one that does not": {
    nodes: [start, node("a", "llm"), node("s", "side")],
    edges: [edge("start", "a"), edge("start", "s")],
  },
  "an agent with tools": {
    nodes: [start, node("a", "agent", { ...model("a"), tools })],
    edges: [edge("start", "a")],
  },
  "messages on the way to the answer": {
    nodes: [
      start,
      node("r", "direct-reply", { message: "One moment.", reply: "always" }),
      node("a", "llm", { ...model("a"), reply: "always" }),
      node("b", "llm"),
    ],
    edges: [edge("start", "r"), edge("r", "a"), edge("a", "b")],
  },
  "messages of steps beside each other, and no more": {
    nodes: [
      start,
      node("a", "llm", { ...model("a"), reply: "always" }),
      node("b", "agent", { ...model("b"), tools, reply: "always" }),
      node("c", "llm", { ...model("c"), reply: "never" }),
    ],
    edges: [edge("start", "a"), edge("start", "b"), edge("a", "c"), edge("b", "c")],
  },
  "a message before leaves of which one answers": {
    nodes: [
      start,
      node("r", "direct-reply", { message: "Two opinions:", reply: "always" }),
      node("a", "llm"),
      node("b", "llm"),
    ],
    edges: [edge("start", "r"), edge("r", "a"), edge("r", "b")],
  },
  "a reply after a model": {
    nodes: [start, node("a", "llm"), node("r", "direct-reply", { message: "It said: {{ a }}" })],
    edges: [edge("start", "a"), edge("a", "r")],
  },
};

/** Agents say something before they call tools, too; and what is said at the same time may be heard in another order. */
const speaksTwice = /"agent"|"source":"start","target":"b"/;

const registry: NodeRegistry = {
  ...nodeRegistry,
  side: { ...nodeRegistry.llm, type: "side", answers: "never" },
};

const piece = fc.string({ unit: "binary", minLength: 1, maxLength: 6 });
const say: fc.Arbitrary<Say> = fc.record({
  pieces: fc.array(piece, { maxLength: 5 }),
  pauses: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 }),
  end: fc.oneof(
    { weight: 4, arbitrary: fc.constant("text" as const) },
    { weight: 2, arbitrary: fc.constant("calls" as const) },
    { weight: 1, arbitrary: fc.constant("failure" as const) },
  ),
});
const plan: fc.Arbitrary<Plan> = fc.record({
  shape: fc.constantFrom(...(Object.keys(shapes) as (keyof typeof shapes)[])),
  says: fc.array(say, { minLength: 1, maxLength: 6 }),
  commitTurns: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 5 }),
  cancelAt: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 30 }) }),
  crashAt: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 30 }) }),
});

/** A model that says what is planned, one answer after the other, whichever node asks. */
function createPlannedModel(says: Say[]): ChatModel {
  let asked = 0;
  return {
    id: "planned",
    async answer({ onText, tools: offered = [], signal }) {
      const { pieces, pauses, end } = says[asked % says.length] ?? { pieces: [], pauses: [], end: "text" };
      asked += 1;
      for (const [index, text] of pieces.entries()) {
        await turns(pauses[index % pauses.length] ?? 0);
        signal.throwIfAborted();
        onText?.(text);
      }
      if (end === "failure" && asked <= says.length) {
        throw new WeftError("model-unavailable", { params: { model: "planned", status: 500, reason: "planned" } });
      }
      const calls = end === "calls" && asked <= says.length ? offered : [];
      return {
        text: pieces.join(""),
        toolCalls: calls.map(({ name }, index) => ({ id: `call-${index}`, name, arguments: "{}" })),
        finishReason: "stop",
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      };
    },
  };
}

const tool = (name: string, kind: Tool["kind"]): Tool => ({
  name,
  description: name,
  parameters: { type: "object", properties: {} },
  kind,
  effect: kind === "read" ? "read" : "write",
  call: async () => ({ content: `${name} done` }),
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await (turn === 0 ? null : nextTurn());
}

/** Runs a plan, and again from the crash on, and returns all that a process has told of it. */
async function record({ says, commitTurns, cancelAt, crashAt }: Plan, flowData: string): Promise<Moment[]> {
  const moments: Moment[] = [];
  const journal = createMemoryJournal();
  let commits = 0;
  const slowJournal = {
    ...journal,
    async append(batch: Parameters<typeof journal.append>[0]) {
      commits += 1;
      await turns(commitTurns[commits % commitTurns.length] ?? 0);
      await journal.append(batch);
    },
  };
  const chatModel = createPlannedModel(says);
  const tell = (moment: Moment) => {
    moments.push(moment);
    if (moments.length === cancelAt) handle.cancel();
  };
  const open = (own: typeof journal) =>
    createTestProcess({
      flow: flowData,
      registry,
      journal: own,
      limits: { wallTimeMs: Number.POSITIVE_INFINITY },
      deps: {
        observer: { committed: (_runId, events) => tell({ events }), delta: (delta) => tell({ delta }) },
        services: {
          ...noServices,
          models: { resolve: async () => chatModel },
          tools: { resolve: async ({ type }) => [tool(type, type === "save" ? "write" : "read")] },
        },
      },
    });
  let handle = open(slowJournal).start({ live: true });
  await handle.done;
  if (crashAt === 0 || crashAt >= moments.length) return moments;
  const survived = createMemoryJournal();
  const epoch = survived.takeOver(runId);
  moments.splice(crashAt, moments.length, "crash");
  const events = journalOf(moments);
  if (events.some(isTerminalEvent)) return moments.slice(0, -1);
  await survived.append({ runId, epoch, events });
  handle = open(survived).recover({ live: true });
  await handle.done;
  return moments;
}

function journalOf(moments: readonly Moment[]): RunEvent[] {
  return moments.flatMap((moment) => (moment !== "crash" && "events" in moment ? moment.events : []));
}

/** The server at a moment of a run: what it has kept of the past, and the way to let the rest happen. */
function openServer(moments: readonly Moment[], flow: CompiledFlow, now: number) {
  const broadcast = createRunBroadcast();
  const journal: RunEvent[] = [];
  const tail = createRunTail({
    broadcast,
    clock: systemClock,
    isHere: () => true,
    logger: createLogger({ level: "silent", write: () => undefined, now: Date.now }),
    store: {
      find: async () => undefined,
      lastSeqs: async () => new Map([[runId, journal.length]]),
      isAnyHeld: async () => true,
      async eventsAfter(_runId, seq) {
        const events = journal.filter((event) => event.seq > seq);
        await nextTurn();
        return events;
      },
    },
  });
  const attach = createAttachService({
    tail,
    executions: {
      find: async () => undefined,
      load: async () => ({ run: { id: runId, lastSeq: journal.length } as RunRow, events: [...journal], flow }),
    },
    getForRun: () => Promise.reject(new Error("not needed")),
    followUps: { suggest: async () => [] },
    streams: createOpenStreams(10),
  });
  let next = 0;
  function happen(): void {
    const moment = moments[next];
    next += 1;
    if (moment === undefined || moment === "crash") return;
    if ("delta" in moment) broadcast.delta(moment.delta);
    else {
      journal.push(...moment.events);
      broadcast.committed(runId, moment.events);
    }
  }
  const crash = moments.indexOf("crash");
  while (next < now) {
    // What a process kept in memory is gone with it.
    if (next < crash && now > crash) {
      journal.push(...journalOf(moments.slice(next, crash)));
      next = crash;
    }
    happen();
  }
  return {
    attach,
    /** Lets things happen until the server crashes, or until all has happened. Returns the moment after that. */
    async goOn(): Promise<number> {
      while (next < moments.length && moments[next] !== "crash") {
        happen();
        if (next % 3 === 0) await nextTurn();
      }
      if (next < moments.length) tail.close();
      return next + 1;
    },
  };
}

/** Connects at a moment, stays while it can, and comes back after a crash. */
async function follow(
  moments: readonly Moment[],
  flow: CompiledFlow,
  from: { now: number; id: string | undefined },
): Promise<Frame[]> {
  const server = openServer(moments, flow, from.now);
  const caller = { owner: "account:1" };
  const response = await server.attach.stream({ runId, lastEventId: from.id, caller, reach: everything });
  const [frames, now] = await Promise.all([openReader(response).read(), server.goOn()]);
  if (now > moments.length) return frames;
  return [...frames, ...(await follow(moments, flow, { now, id: frames.at(-1)?.id ?? from.id }))];
}

/** The frames of a client that hears everything as it happens, each with the moment after it. */
function watch(moments: readonly Moment[], flow: CompiledFlow): { frame: Frame; now: number }[] {
  const writer = createFrameWriter({ runId, flow });
  return moments.flatMap((moment, index) => {
    if (moment === "crash") return [];
    const frames = "delta" in moment ? writer.delta(moment.delta) : writer.events(moment.events);
    return frames.map((frame) => ({ frame, now: index + 1 }));
  });
}

/** Every way to have received the frames up to the given one: whole, and where it is a token, a part of it. */
function* cutsAt(frames: readonly Frame[]): Generator<Frame[]> {
  yield [...frames];
  const last = frames.at(-1);
  if (last?.event !== "token") return;
  const [, place, end] = /^(.*)\.(\d+)$/.exec(last.id) ?? [];
  const text = String(last.data);
  for (let length = 1; length < text.length; length += 1) {
    const id = `${place}.${Number(end) - text.length + length}`;
    yield [...frames.slice(0, -1), { ...last, id, data: text.slice(0, length) }];
  }
}

it("a client that is cut off anywhere and comes back at any time has what one has that stayed", async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.infiniteStream(fc.nat()), async (planned, random) => {
      const flowData = JSON.stringify({ weft: 1, ...shapes[planned.shape] });
      const flow = compileFlow(flowData, registry);
      const moments = await record(planned, flowData);
      const watched = watch(moments, flow);
      const stayed = readFrames(watched.map(({ frame }) => frame));
      const journal = journalOf(moments);
      assert.deepEqual(readFrames(createFrameWriter({ runId, flow }).events(journal)), stayed);
      const end = journal.at(-1);
      if (end?.type === "run-completed" && !speaksTwice.test(flowData)) assert.equal(stayed.text, end.text);
      assert.deepEqual(readFrames(await follow(moments, flow, { now: 1, id: undefined })), stayed);
      for (const [index, { now, frame }] of watched.entries()) {
        if (frame.event === "end") continue;
        for (const had of cutsAt(watched.slice(0, index + 1).map((seen) => seen.frame))) {
          const later = now + ((random.next().value ?? 0) % (moments.length - now + 1));
          const rest = await follow(moments, flow, { now: later, id: had.at(-1)?.id });
          assert.deepEqual(readFrames([...had, ...rest]), stayed, `cut after ${had.at(-1)?.id}, back at ${later}`);
        }
      }
    }),
    { seed: 20261121, numRuns: 100 },
  );
});
