import { everything } from "@weft/http/identity";
import { type AnswerRequest, fromEventRow } from "@weft/run-host";
import { isTerminalEvent, type RunEvent, WeftError } from "@weft/schema";
import type { AskedRun, GivenAnswer } from "../facts.ts";
import { type Life, type SimProcess, Unreachable } from "../world/process.ts";
import type { World } from "../world/world.ts";
import { randomFlow } from "./flows.ts";

/** How long a client waits for a process before it asks another one. */
const patienceMs = 12_000;
const mostAttempts = 40;

/** People and programs that use the agents, until the world is quiet; and one who edits and deletes them. */
export function startClients(world: World, count: number): void {
  for (let agent = 0; agent < 4; agent += 1) edit(world, `agent-${agent}`);
  for (let index = 0; index < count; index += 1) void liveAsClient(world, `account:${index}`);
  void liveAsEditor(world);
  void liveAsClerk(world);
}

async function liveAsClient(world: World, owner: string): Promise<void> {
  const { time, random } = world;
  const sessions: Pick<AskedRun, "agentId" | "sessionId" | "owner">[] = [];
  for (;;) {
    await time.sleep(random.between(1_000, 60_000));
    if (world.isQuiet) return;
    const known = random.next() < 0.4 ? sessions.at(-1) : undefined;
    const agentId = random.pick([...world.facts.agents.keys()]);
    const session = known ?? { agentId, sessionId: `session-${world.newId()}`, owner };
    if (known === undefined) sessions.push(session);
    const messages = random.pick([1, 1, 2, 3]);
    for (let message = 0; message < messages; message += 1) {
      const run = ask(world, session);
      const sent = send(world, run);
      accompany(world, run, sent);
      // Most wait until the message is accepted; some send the next at the same moment.
      if (random.next() < 0.8) await sent;
    }
  }
}

function ask({ facts, time, newId }: World, session: Pick<AskedRun, "agentId" | "sessionId" | "owner">): AskedRun {
  const run: AskedRun = { ...session, runId: newId(), question: `q${facts.runs.size + 1}`, askedMs: time.now() };
  facts.runs.set(run.runId, run);
  return run;
}

/** What a client does with a run beside sending it. */
function accompany(world: World, run: AskedRun, sent: Promise<boolean>): void {
  const { random, time } = world;
  if (random.next() < 0.7) void sent.then((isAccepted) => (isAccepted ? follow(world, run) : undefined));
  if (random.next() < 0.12) void time.sleep(random.between(0, 15_000)).then(() => cancel(world, run));
  // A repetition of the request, at any moment.
  if (random.next() < 0.15) void time.sleep(random.between(0, 3_000)).then(() => send(world, run));
}

function frontOf({ processes, random }: World): SimProcess {
  return random.pick(processes.filter(({ role }) => role !== "worker"));
}

/** Asks one process after another until one answers. Undefined: the client gave up. */
async function askAnyone<T>(world: World, work: (life: Life) => Promise<T>): Promise<{ value: T } | undefined> {
  const { time, random } = world;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    try {
      const late = time.sleep(patienceMs).then(() => {
        throw new Unreachable("late");
      });
      late.catch(() => undefined);
      return { value: await Promise.race([frontOf(world).call(work), late]) };
    } catch (cause) {
      if (!isPassing(cause)) throw cause;
      await time.sleep(random.between(100, 3_000));
    }
  }
  return undefined;
}

/** Whether the same request is to be made again. */
function isPassing(cause: unknown): boolean {
  if (cause instanceof WeftError) return cause.retryable || cause.message.includes("Try again");
  return cause instanceof Unreachable || (cause instanceof Error && cause.name === "DatabaseUnavailableError");
}

/** Sends a message, under one key, until it is accepted. Resolves with whether it is. */
async function send(world: World, run: AskedRun): Promise<boolean> {
  const { runId } = run;
  try {
    // Some clients, or what is between them and a process, send a request twice at once.
    const times = world.random.next() < 0.1 ? 2 : 1;
    const accepted = await askAnyone(world, (life) =>
      Promise.all(Array.from({ length: times }, () => begin(world, life, run))),
    );
    if (accepted) world.note("is accepted", runId);
    return accepted !== undefined;
  } catch (cause) {
    if (!(cause instanceof WeftError && cause.code === "not-found")) {
      world.violation(`The message was refused: ${cause instanceof Error ? cause.stack : cause}`, runId);
    }
    return false;
  }
}

/** As the server begins a run of a caller who names it. */
async function begin(world: World, { host, actor }: Life, run: AskedRun): Promise<void> {
  const { runId, agentId, sessionId, owner, question } = run;
  if (!(await host.runs.recall(runId))) {
    const place = host.runs.arrive({ agentId, owner, sessionId });
    const prepare = async () => {
      await world.time.sleep(world.random.between(0, 10));
      await world.time.awake(actor);
      const flowVersionId = world.agents.current(agentId);
      const flow = flowVersionId === undefined ? undefined : world.agents.flowOf(flowVersionId);
      if (!flow || flowVersionId === undefined)
        throw new WeftError("not-found", { params: { resource: "agent", id: agentId } });
      const ids = { userMessageId: `${runId}-user`, apiMessageId: `${runId}-api` };
      const chat = { agentId, flowVersionId, chatId: sessionId, sessionId, chatType: "EXTERNAL" as const, owner };
      const begin = { type: "run-started" as const, ...chat, ...ids, input: { question }, depth: 0 };
      return { runId, begin, flow, warnings: [] };
    };
    const { handle, startedElsewhere } = await host.runs.admit({ fixedId: runId, place, prepare, live: true });
    if (!(await startedElsewhere)) await handle.accepted;
  }
  run.acceptedMs ??= world.time.now();
}

async function cancel(world: World, run: AskedRun): Promise<void> {
  run.cancelAskedMs ??= world.time.now();
  world.note("is to be cancelled", run.runId);
  await askAnyone(world, async ({ host }) => {
    const wasAccepted = run.acceptedMs !== undefined;
    await host.runs.cancel(run.runId);
    // Of one that is not accepted yet the database may know nothing.
    if (wasAccepted) run.cancelledMs ??= world.time.now();
  });
}

type RunEventRow = Parameters<typeof fromEventRow>[0];

type Connection = { inbox: RunEvent[]; isCut: boolean; close(): void };

/** Reads the stream of a run to its end, over as many connections as it takes. */
async function follow(world: World, { runId }: AskedRun): Promise<void> {
  const { random } = world;
  const reader: Reader = { runId, cursor: 0, hasEnded: false, readEveryMs: random.pick([100, 500, 5_000]) };
  world.openStreams.add(runId);
  while (!world.isOver && !reader.hasEnded) {
    const connection = await frontOf(world)
      .call(async (life) => connect(world, life, { runId, afterSeq: reader.cursor }))
      .catch(() => undefined);
    if (connection) await readUntilCut(world, reader, connection);
    else await world.time.sleep(reader.readEveryMs);
    connection?.close();
  }
  world.openStreams.delete(runId);
}

/** `cursor`: the event that was read last. What comes over a connection and is not read is lost with it. */
type Reader = { runId: string; cursor: number; hasEnded: boolean; readEveryMs: number };

async function readUntilCut({ time, random, violation }: World, reader: Reader, connection: Connection): Promise<void> {
  const cutMs = time.now() + random.between(1_000, 40_000);
  while (!reader.hasEnded && !connection.isCut && time.now() < cutMs) {
    await time.sleep(reader.readEveryMs);
    for (const event of connection.inbox.splice(0)) {
      const { cursor, runId } = reader;
      if (event.seq !== cursor + 1) violation(`The stream gave event ${event.seq} after ${cursor}.`, runId);
      reader.cursor = event.seq;
      reader.hasEnded ||= isTerminalEvent(event);
    }
  }
}

function connect(
  { plant }: World,
  { host, died }: Life,
  { runId, afterSeq }: { runId: string; afterSeq: number },
): Connection {
  const connection: Connection = { inbox: [], isCut: false, close: () => undefined };
  const cut = () => {
    connection.isCut = true;
  };
  void died.then(cut);
  connection.close = host.tail.follow(runId, afterSeq, {
    events: (events) => void connection.inbox.push(...(plant?.streamsTwice ? [...events, ...events] : events)),
    left: cut,
  });
  return connection;
}

/** Answers every question, some of them twice at once. */
async function liveAsClerk(world: World): Promise<void> {
  const { time, random, database } = world;
  const seen = new Set<string>();
  while (!world.isOver) {
    await time.sleep(2_000);
    const waiting = database.look<RunEventRow & { agentId: string }>(
      `select e."runId", e."seq", e."at", e."type", e."event", r."agentId" from "runs" r
       join "runEvents" e on e."runId" = r."id"
       where r."status" = 'suspended' and e."type" = 'node-suspended' order by e."simOrder"`,
    );
    for (const row of waiting) {
      const event = fromEventRow(row);
      if (event.type !== "node-suspended" || event.wait.asks === false || seen.has(event.wait.waitId)) continue;
      seen.add(event.wait.waitId);
      const thinkMs = world.isQuiet ? 0 : random.pick([100, 2_000, 20_000, 60_000]);
      const times = random.pick([1, 2, 3]);
      for (let left = times; left > 0; left -= 1) {
        void time.sleep(thinkMs + random.between(0, 30)).then(() => answer(world, row, event.wait.waitId));
      }
    }
  }
}

async function answer(world: World, { runId, agentId }: { runId: string; agentId: string }, waitId: string) {
  const { facts, random } = world;
  const owner = facts.runs.get(runId)?.owner ?? "";
  const words = `answer ${facts.answers.length}`;
  const given: GivenAnswer = { runId, waitId, words, isTaken: undefined };
  facts.answers.push(given);
  world.note(`gets ${words}`, runId);
  const type = random.next() < 0.7 ? ("proceed" as const) : ("reject" as const);
  const by = { owner, name: owner, reach: everything };
  const request: AnswerRequest = {
    agentId,
    executionId: runId,
    waitId,
    answer: { type, feedback: words },
    by,
    live: true,
  };
  try {
    given.isTaken = await frontOf(world).call(({ host }) => host.answers.answer(request).then(() => true));
  } catch (cause) {
    world.note(`${words}: ${cause instanceof Error ? cause.message : cause}`, runId);
    if (isRefusal(cause)) given.isTaken = false;
    // One that was not heard of is given again, in other words.
    if (isPassing(cause)) void world.time.sleep(3_000).then(() => answer(world, { runId, agentId }, waitId));
    else if (!isRefusal(cause))
      world.violation(`An answer failed: ${cause instanceof Error ? cause.stack : cause}`, runId);
  }
}

function isRefusal(cause: unknown): boolean {
  return cause instanceof WeftError && ["conflict", "validation-failed", "not-found"].includes(cause.code);
}

function edit({ facts, random }: World, agentId: string): void {
  facts.editions += 1;
  const versionId = `version-${facts.editions}`;
  facts.versions.set(versionId, randomFlow(random, `v${facts.editions}`));
  facts.agents.set(agentId, [...(facts.agents.get(agentId) ?? []), versionId]);
}

async function liveAsEditor(world: World): Promise<void> {
  const { time, random, facts } = world;
  for (;;) {
    await time.sleep(random.between(5_000, 60_000));
    if (world.isQuiet) return;
    const agentId = random.pick([...facts.agents.keys()]);
    if (random.next() < 0.8) edit(world, agentId);
    else await remove(world, agentId);
  }
}

/** Deletes an agent, and makes another one. */
async function remove(world: World, agentId: string): Promise<void> {
  const { facts, time } = world;
  edit(world, `agent-${world.newId()}`);
  facts.deleted.set(agentId, time.now());
  world.note(`${agentId} is deleted`);
  const versionIds = facts.agents.get(agentId) ?? [];
  await askAnyone(world, ({ host, link }) =>
    link.database.write(async (tx) => {
      await host.runs.cancelOfAgent(tx, agentId);
      facts.agents.delete(agentId);
      for (const versionId of versionIds) facts.versions.delete(versionId);
    }),
  );
}
