import type { EngineDeps } from "@weft/engine";
import type { Clock } from "@weft/engine/ports/clock";
import { noMemory } from "@weft/engine/testing";
import type { LogFields, Logger } from "@weft/http/logger";
import { createRunHost, type ProjectRun, type Role, type RunHost } from "@weft/run-host";
import { defaultBudget, isTerminalEvent } from "@weft/schema";
import { CompiledQuery } from "kysely";
import { hinder } from "../facts.ts";
import type { Link } from "./database.ts";
import type { Actor } from "./virtual-time.ts";
import type { World } from "./world.ts";

/** A process cannot be reached, or was lost before it answered: what was asked of it may have happened. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** One start of a process, until it ends. */
export type Life = {
  actor: Actor;
  link: Link;
  host: RunHost;
  /** It takes requests. */
  isReady: boolean;
  readyMs: number;
  died: Promise<void>;
  die(): void;
};

/** A process of the cluster, through all its lives. */
export type SimProcess = {
  readonly name: string;
  readonly role: Role;
  readonly life: Life | undefined;
  start(): void;
  /** Ends it at once. It starts again after so long. */
  kill(restartAfterMs: number): void;
  /** Ends it in order, and starts it again. */
  restart(afterMs: number): void;
  /** It stands still for so long. */
  pause(ms: number): void;
  /** As a client's request: rejects with `Unreachable` when the process is, or becomes, unreachable. */
  call<T>(work: (life: Life) => Promise<T>): Promise<T>;
};

const limits = {
  maxConcurrentRuns: 8,
  maxAnonymousRuns: 4,
  maxQueuedRuns: 200,
  runTimeoutMs: 900_000,
  executionRetentionMs: 0,
  payloadRetentionMs: 0,
};
/** A process that does not end in order by then is stuck. */
const closeWithinMs = 60_000;

/** The machine's clocks, which virtual time has taken the place of. */
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      }, ms);
      signal.addEventListener("abort", abort, { once: true });
    }),
};

export function createSimProcess(world: World, name: string, role: Role): SimProcess {
  const { time, note } = world;
  let life: Life | undefined;
  let lives = 0;
  let isStarting = false;

  function begin(): void {
    if (life !== undefined || world.isOver) return;
    lives += 1;
    const actor: Actor = { name: `${name}.${lives}`, offsetMs: 0, state: "up" };
    const death = Promise.withResolvers<void>();
    const link = world.database.openLink({ actor, kill: () => end(begun, world.random.between(300, 15_000)) });
    link.connect();
    const host = time.within(actor, () => openHost(world, { role, actor, link }));
    const begun: Life = { actor, link, host, isReady: false, readyMs: 0, died: death.promise, die: death.resolve };
    life = begun;
    note(`${actor.name} starts`);
    time
      .within(actor, () => host.start(environmentOf(world, actor)))
      .then(
        () => {
          begun.isReady = actor.state !== "gone";
          begun.readyMs = time.now();
        },
        (cause: unknown) => {
          note(`${actor.name} does not start: ${String(cause)}`);
          end(begun, 2_000);
        },
      );
  }

  function end(ended: Life, restartAfterMs: number): void {
    const { actor, link } = ended;
    if (actor.state === "gone") return;
    actor.state = "gone";
    ended.isReady = false;
    if (life === ended) life = undefined;
    note(`${actor.name} is gone`);
    world.facts.deaths.set(actor.name, time.now());
    ended.die();
    // The database hears of a machine that is gone later than of a process.
    const unnoticedMs = world.random.next() < 0.7 ? 0 : world.random.between(1_000, 20_000);
    void time.sleep(unnoticedMs).then(link.disconnect);
    startIn(restartAfterMs);
  }

  function startIn(ms: number): void {
    if (isStarting) return;
    isStarting = true;
    void time.sleep(ms).then(() => {
      isStarting = false;
      begin();
    });
  }

  return {
    name,
    role,
    get life() {
      return life;
    },
    start: begin,
    kill(restartAfterMs) {
      if (life) end(life, restartAfterMs);
    },
    restart(afterMs) {
      const closing = life;
      if (!closing?.isReady || closing.actor.state !== "up") return;
      closing.isReady = false;
      note(`${closing.actor.name} closes`);
      const closed = time.within(closing.actor, () => closing.host.close());
      const isInTime = Promise.race([closed.then(() => true), time.sleep(closeWithinMs).then(() => false)]);
      isInTime.then(
        (isDone) => {
          if (!isDone && closing.actor.state === "up") world.violation(`${closing.actor.name} did not close.`);
          end(closing, afterMs);
        },
        (cause: unknown) => {
          note(`${closing.actor.name} closed with ${String(cause)}`);
          end(closing, afterMs);
        },
      );
    },
    pause(ms) {
      const paused = life?.actor;
      if (paused?.state !== "up") return;
      paused.state = "still";
      note(`${paused.name} stands still for ${ms} ms`);
      hinder(world.facts, paused.name, time.now() + ms);
      void time.sleep(ms).then(() => {
        if (paused.state === "still") time.wake(paused);
      });
    },
    async call(work) {
      await time.sleep(world.random.between(1, 20));
      const reached = life;
      if (!reached?.isReady) throw new Unreachable(name);
      const { actor } = reached;
      const lost = reached.died.then(() => {
        throw new Unreachable(name);
      });
      const answer = time.within(actor, async () => {
        await time.awake(actor);
        return work(reached);
      });
      answer.catch(() => undefined);
      const value = await Promise.race([answer, lost]);
      await time.sleep(world.random.between(1, 20));
      return value;
    },
  };
}

function openHost(world: World, { role, actor, link }: { role: Role; actor: Actor; link: Link }): RunHost {
  return createRunHost({
    database: link.database,
    clock,
    ids: { uuid: world.newId },
    logger: loggerOf(world, actor),
    limits: { ...limits, role },
    flowOfAgent: async (versionId) => {
      await clock.sleep(world.random.between(0, 5), new AbortController().signal);
      return world.agents.flowOf(versionId);
    },
    budgetOf: async () => defaultBudget,
    budgetRefused: () => undefined,
    patienceMs: async () => undefined,
    runEnded: { chat: noteEnd, upsert: noteEnd },
    observer: { committed: () => undefined, delta: () => undefined },
    conceal: (shown) => shown,
    costOf: () => undefined,
    forgetRuns: async () => undefined,
    replays: { draftOf: () => notSimulated("drafts"), messagesBefore: () => notSimulated("chats") },
  });
}

async function notSimulated(what: string): Promise<never> {
  throw new Error(`The simulation has no ${what}.`);
}

/** What follows from the end of a run is part of its commit, and comes once. */
const noteEnd: ProjectRun = ({ id }, events) => {
  const end = events.find(isTerminalEvent);
  return end ? [CompiledQuery.raw(`insert into "simEnds" ("runId", "seq") values ($1, $2)`, [id, end.seq])] : [];
};

function environmentOf(world: World, actor: Actor) {
  const services: EngineDeps["services"] = world.outside.servicesOf(actor);
  return { services, memory: noMemory, variables: { all: async () => ({}) }, builtInFlows: new Map() };
}

/** Bugs are violations, whatever comes of them. */
function loggerOf(world: World, { name }: Actor): Logger {
  const take = (event: string, fields?: LogFields) => {
    if (event === "run-ended" || event === "run-recovered") return;
    const cause = fields?.cause;
    world.note(`${name} ${event} ${cause instanceof Error ? cause.message : ""}`, fields?.runId);
    if (event === "run-bug") world.violation(`${name}: ${cause instanceof Error ? cause.stack : cause}`, fields?.runId);
  };
  return { debug: () => undefined, info: take, warn: take, error: take, isEnabled: () => true };
}
