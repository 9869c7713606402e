import { fromEventRow } from "@weft/run-host";
import { isTerminalEvent, type RunEvent, type RunEventOf } from "@weft/schema";
import type { AskedRun, Facts } from "./facts.ts";
import type { Call } from "./world/outside.ts";
import type { World } from "./world/world.ts";

/**
 * Says what must be true, whatever happens. It knows the journal as it was committed, what clients asked and heard, and
 * what the world outside was asked; it shares no code with the run host but the way in which an event is stored.
 */
export type Oracle = {
  /** Checks what was committed since the last time. */
  look(): void;
  /** Whether every run has ended. */
  isSettled(): boolean;
  /** Checks what must be true when all is over. */
  conclude(): void;
  /** How many events it has seen. */
  events(): number;
};

/** An event, who wrote it, under which epoch, and when in virtual time. */
type Committed = { runId: string; event: RunEvent; writer: string; epoch: number; atMs: number };

type Effect = { kind: string; name: string; finishedMs: number | undefined; isOk: boolean };

/** A run as its journal tells it. */
type Run = {
  id: string;
  begin: RunEventOf<"run-started">;
  lastSeq: number;
  epoch: number;
  writers: Map<number, string>;
  end: { type: RunEvent["type"]; atMs: number } | undefined;
  completed: Set<string>;
  effects: Map<string, Effect>;
  /** Waits by their ids: whether each has ended. */
  waits: Map<string, boolean>;
  /** When a step was committed that its cancel came before. */
  lateStepMs: number | undefined;
};

/** A run whose process died is taken over within this time, where a process could do so all the while. */
const takeOverMs = 10_000;
/** A read may begin on trust for so long after its process has lost the run (J5). */
const trustMs = 2_000;
/** What runs may fail with: the world's failures, and writes that were under way when their process was lost. */
const expectedFailures = [
  "egress-failed",
  "flow-node-failed",
  "flow-outcome-unknown",
  "model-unavailable",
  "http-failed",
];

export function createOracle(world: World): Oracle {
  const { facts, time, database } = world;
  const runs = new Map<string, Run>();
  /** Runs of each session that have their place and have not left it, in their order. */
  const sessions = new Map<string, string[]>();
  const checks: Checks = { ...world, runs, sessions };
  let lastOrder = 0;
  let count = 0;

  return {
    events: () => count,
    look() {
      for (const row of readJournal(world, lastOrder)) {
        lastOrder = row.order;
        count += 1;
        world.note(`${row.writer} ${row.event.seq} ${row.event.type} epoch ${row.epoch}`, row.runId, row.atMs);
        checkEvent(checks, row);
      }
      checkTakeOvers(world);
    },
    isSettled: () => [...runs.values()].every(({ end }) => end !== undefined),
    conclude() {
      for (const asked of facts.runs.values()) checkAsked(checks, asked);
      checkRows(checks);
      checkCalls(checks);
      checkAnswers(checks);
      for (const runId of world.openStreams) world.violation("Its stream has not ended.", runId);
      for (const { life } of world.processes) {
        const left = life?.host.active.size ?? 0;
        if (left > 0) world.violation(`${life?.actor.name} still has ${left} runs in memory.`);
      }
      if (time.now() > 0 && database.look(`select 1 from "runs"`).length === 0) world.violation("Nothing ran.");
    },
  };
}

type Checks = Pick<World, "violation" | "outside" | "database"> & {
  facts: Facts;
  runs: Map<string, Run>;
  sessions: Map<string, string[]>;
};

function readJournal({ database }: World, after: number): (Committed & { order: number })[] {
  type Row = Parameters<typeof fromEventRow>[0] & {
    simOrder: number;
    simWriter: string;
    simEpoch: number;
    simAt: number;
  };
  const rows = database.look<Row>(
    `select "runId", "seq", "at", "type", "event", "simOrder", "simWriter", "simEpoch", "simAt"
     from "runEvents" where "simOrder" > $1 order by "simOrder"`,
    [after],
  );
  return rows.map((row) => ({
    runId: row.runId,
    event: fromEventRow(row),
    writer: row.simWriter,
    epoch: row.simEpoch,
    atMs: row.simAt,
    order: row.simOrder,
  }));
}

// The journal: dense, one writer in an epoch, one end, nothing twice.

function checkEvent(checks: Checks, committed: Committed): void {
  const { violation, runs } = checks;
  const { runId, event, writer, epoch, atMs } = committed;
  const run = runs.get(runId) ?? beginRun(checks, committed);
  if (run === undefined) return;
  if (event.seq !== run.lastSeq + 1) violation(`Event ${event.seq} follows event ${run.lastSeq}.`, runId);
  run.lastSeq = event.seq;
  if (run.end !== undefined) violation(`${event.type} follows its end.`, runId);
  const otherWriter = run.writers.get(epoch) ?? writer;
  if (otherWriter !== writer) violation(`${otherWriter} and ${writer} write in epoch ${epoch}.`, runId);
  if (epoch < run.epoch) violation(`${writer} writes in epoch ${epoch} after epoch ${run.epoch}.`, runId);
  run.epoch = epoch;
  run.writers.set(epoch, writer);
  checkOrder(checks, run, event);
  checkStep(checks, run, committed);
  if (!isTerminalEvent(event)) return;
  run.end = { type: event.type, atMs };
  checkEnd(checks, run, committed);
}

function beginRun({ violation, facts, runs }: Checks, { runId, event }: Committed): Run | undefined {
  if (event.type !== "run-started") {
    violation(`Its journal begins with ${event.type}.`, runId);
    return undefined;
  }
  const asked = facts.runs.get(runId);
  if (asked?.question !== event.input.question) violation("Nobody asked for this run.", runId);
  const run: Run = {
    id: runId,
    begin: event,
    lastSeq: 0,
    epoch: 0,
    writers: new Map(),
    end: undefined,
    completed: new Set(),
    effects: new Map(),
    waits: new Map(),
    lateStepMs: undefined,
  };
  runs.set(runId, run);
  return run;
}

// Order: a session has one run at a time, in the order in which they were accepted or answered (G14).

function checkOrder({ violation, sessions }: Checks, { id, begin }: Run, event: RunEvent): void {
  const session = `${begin.agentId}/${begin.owner}/${begin.sessionId}`;
  const line = sessions.get(session) ?? [];
  sessions.set(session, line);
  const isLeaving = isTerminalEvent(event) || (event.type === "run-suspended" && event.holds !== true);
  if (event.type === "run-started" || (event.type === "node-resumed" && !line.includes(id))) line.push(id);
  else if (isLeaving && line.includes(id)) line.splice(line.indexOf(id), 1);
  const isStep = event.type === "node-started" || event.type === "effect-started";
  if (isStep && line[0] !== id) violation(`${event.type} while ${line[0]} of its session has the turn.`, id);
}

// Steps: none again that is finished (G2), no write announced twice (G3), no wait ended twice (G5), none after a cancel (G8).

function checkStep(checks: Checks, run: Run, { event, atMs }: Committed): void {
  switch (event.type) {
    case "node-started":
      startNode(checks, run, event);
      break;
    case "effect-started":
      startEffect(checks, run, event);
      break;
    case "effect-finished":
      finishEffect(checks, run, { event, atMs });
      return;
    case "node-completed":
      if (run.completed.has(event.nodeKey)) checks.violation(`${event.nodeKey} completes again.`, run.id);
      run.completed.add(event.nodeKey);
      return;
    case "node-suspended":
      run.waits.set(event.wait.waitId, false);
      return;
    case "node-resumed":
      endWait(checks, run, event);
      return;
    default:
      return;
  }
  const { cancelledMs = Number.POSITIVE_INFINITY } = checks.facts.runs.get(run.id) ?? {};
  // What began before may be announced with the commit that ends the run.
  if (atMs > cancelledMs) run.lateStepMs = atMs;
}

/** A step is of the version that the run began with (G6). */
function startNode({ violation }: Checks, run: Run, { nodeKey, nodeId }: RunEventOf<"node-started">): void {
  if (run.completed.has(nodeKey)) violation(`${nodeKey} is completed and starts again.`, run.id);
  const { flowVersionId } = run.begin;
  const isOfVersion = nodeId === "start" || nodeId.startsWith(`v${flowVersionId.slice("version-".length)}n`);
  if (!isOfVersion) violation(`${nodeId} is not of ${flowVersionId}.`, run.id);
}

function finishEffect(
  { violation }: Checks,
  run: Run,
  { event, atMs }: { event: RunEventOf<"effect-finished">; atMs: number },
): void {
  const effect = run.effects.get(`${event.nodeKey}:${event.effectKey}`);
  if (effect === undefined) {
    violation(`${event.nodeKey} ${event.effectKey} finishes without a start.`, run.id);
    return;
  }
  if (effect.isOk) violation(`${effect.name} finishes again.`, run.id);
  effect.isOk = event.outcome.ok;
  effect.finishedMs = atMs;
}

function endWait(checks: Checks, run: Run, event: RunEventOf<"node-resumed">): void {
  const { violation } = checks;
  if (run.waits.get(event.waitId) !== false) violation(`The wait ${event.waitId} ends, and is not open.`, run.id);
  run.waits.set(event.waitId, true);
  if (event.resumedBy === undefined) checkAnswer(checks, run, event);
}

function startEffect({ violation }: Checks, run: Run, event: RunEventOf<"effect-started">): void {
  const id = `${event.nodeKey}:${event.effectKey}`;
  const before = run.effects.get(id);
  if (before?.isOk) violation(`${event.name} is finished and starts again.`, run.id);
  if (before?.kind === "write") violation(`The write ${event.name} starts a second time.`, run.id);
  const { kind, name } = event;
  run.effects.set(id, { kind, name, finishedMs: undefined, isOk: false });
}

function checkAnswer({ violation, facts }: Checks, run: Run, { waitId, answer }: RunEventOf<"node-resumed">): void {
  const { feedback } = answer as { feedback?: string };
  const given = facts.answers.find(({ words }) => words === feedback);
  if (given?.waitId !== waitId) violation(`The answer to ${waitId} is "${feedback}", which nobody gave.`, run.id);
}

// Ends: for a reason that there was.

function checkEnd({ violation, facts }: Checks, run: Run, { event, atMs }: Committed): void {
  const asked = facts.runs.get(run.id);
  const { cancelAskedMs = Number.POSITIVE_INFINITY, cancelledMs = Number.POSITIVE_INFINITY } = asked ?? {};
  const isDeleted = facts.deleted.has(run.begin.agentId);
  if (event.type === "run-cancelled" && cancelAskedMs > atMs && !isDeleted) violation("Nobody cancelled it.", run.id);
  if (event.type !== "run-cancelled" && atMs > cancelledMs)
    violation(`It ends with ${event.type} after its cancel.`, run.id);
  if (event.type !== "run-failed") return;
  const { code, message } = event.error;
  const isExpected = expectedFailures.includes(code) || (isDeleted && code === "flow-invalid");
  if (!isExpected) violation(`It fails with ${code}: ${message}`, run.id);
}

// Death: what a process leaves is taken over in time.

function checkTakeOvers({ facts, time, database, processes, violation }: World): void {
  const nowMs = time.now();
  const workers = processes.flatMap(({ role, life }) => (role !== "api" && life?.isReady ? [life] : []));
  const hinderedMs = (name: string) => facts.hinderedUntilMs.get(name) ?? 0;
  const ableSince = workers.map(({ actor, readyMs }) => Math.max(readyMs, hinderedMs(actor.name)));
  const sinceMs = Math.max(Math.min(...ableSince), hinderedMs("database"));
  const held = database.look<{ id: string; leaseOwner: string }>(
    `select "id", "leaseOwner" from "runs" where "status" = 'running' and "leaseOwner" is not null`,
  );
  for (const { id, leaseOwner } of held) {
    const life = facts.owners.get(leaseOwner) ?? "";
    const diedMs = facts.deaths.get(life) ?? Number.POSITIVE_INFINITY;
    if (nowMs - Math.max(diedMs, sinceMs) > takeOverMs) violation(`It is still held by ${life}, which is gone.`, id);
  }
}

// The end: nothing lost, nothing stuck, nothing held.

function checkAsked({ violation, runs }: Checks, { runId, acceptedMs, cancelledMs }: AskedRun): void {
  const run = runs.get(runId);
  if (acceptedMs !== undefined && run === undefined) violation("It was accepted and is not there.", runId);
  if (run && run.end === undefined) violation(`It has not ended; its last event is ${run.lastSeq}.`, runId);
  if (cancelledMs === undefined || run?.end === undefined || run.end.atMs <= cancelledMs) return;
  if (run.end.type !== "run-cancelled") violation(`It was cancelled and ended as ${run.end.type}.`, runId);
}

/** What is written beside the journal says what the journal says. */
function checkRows({ violation, runs, database }: Checks): void {
  type Row = { id: string; status: string; lastSeq: number; leaseOwner: string | null; endSeq: number | null };
  const rows = database.look<Row>(
    `select r."id", r."status", r."lastSeq", r."leaseOwner", e."seq" as "endSeq"
     from "runs" r left join "simEnds" e on e."runId" = r."id"`,
  );
  for (const { id, status, lastSeq, leaseOwner, endSeq } of rows) {
    const run = runs.get(id);
    if (run?.end === undefined) continue;
    if (`run-${status}` !== run.end.type) violation(`It ended with ${run.end.type} and is ${status}.`, id);
    if (lastSeq !== run.lastSeq) violation(`Its row ends at event ${lastSeq}, its journal at ${run.lastSeq}.`, id);
    if (leaseOwner !== null) violation(`It has ended and is still held by ${leaseOwner}.`, id);
    if (endSeq !== run.lastSeq) violation("What follows from its end was not written with it.", id);
  }
}

// The world outside: writes once, repetitions under one key, and nothing after it is finished or cancelled.

function checkCalls(checks: Checks): void {
  const { outside, runs, facts } = checks;
  const byName = Map.groupBy(outside.calls, ({ name }) => name);
  const askedBy = new Map([...facts.runs.values()].map((asked) => [asked.question, asked]));
  for (const [name, calls] of byName) {
    const asked = askedBy.get(name.split("/")[1] ?? "");
    const run = asked && runs.get(asked.runId);
    checkCallsOfStep(checks, { name, calls, asked, run });
  }
}

type StepCalls = { name: string; calls: readonly Call[]; asked: AskedRun | undefined; run: Run | undefined };

function checkCallsOfStep({ violation }: Checks, { name, calls, asked, run }: StepCalls): void {
  const report = (text: string) => violation(`${name}: ${text}`, asked?.runId);
  const arrived = calls.filter(({ arrivedMs }) => arrivedMs !== undefined);
  if (calls[0]?.kind === "write" && arrived.length > 1) report(`The write arrived ${arrived.length} times.`);
  if (new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size > 1) report("It came under several keys.");
  const effect = [...(run?.effects.values() ?? [])].find((one) => one.name.endsWith(name));
  if (effect?.isOk && !arrived.some(({ isOk }) => isOk)) report("It is reported as done, and was not.");
  const doneMs = (effect?.isOk && effect.finishedMs) || Number.POSITIVE_INFINITY;
  const { cancelledMs = Number.POSITIVE_INFINITY } = asked ?? {};
  const isRead = ["read", "model"].includes(calls[0]?.kind ?? "");
  const lastMs = Math.max(...calls.map(({ beganMs }) => beganMs));
  if (lastMs > doneMs + (isRead ? trustMs : 0)) report("It was made again after it was finished.");
  if (lastMs > cancelledMs) report("It was made after the run was cancelled.");
}

function checkAnswers({ violation, facts, runs }: Checks): void {
  for (const [waitId, answers] of Map.groupBy(facts.answers, (given) => given.waitId)) {
    const [first] = answers;
    const taken = answers.filter(({ isTaken }) => isTaken === true);
    if (taken.length > 1) violation(`${taken.length} answers to ${waitId} were taken.`, first?.runId);
    const isEnded = runs.get(first?.runId ?? "")?.waits.get(waitId) === true;
    if (taken.length === 1 && !isEnded) violation(`The answer to ${waitId} was taken and is not there.`, first?.runId);
  }
}
