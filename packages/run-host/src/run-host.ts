import type { Database, Signals, Tables } from "@weft/database";
import {
  type CompiledFlow,
  defaultRunLimits,
  type EngineDeps,
  type RunHandle,
  type StartRunOptions,
  startRun,
} from "@weft/engine";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import { type Budget, isTerminalEvent, type RedisState, type RunEvent, type RunInput } from "@weft/schema";
import type { Kysely } from "kysely";
import { type BudgetRefusal, type Budgets, createBudgets } from "./budgets/index.ts";
import type { Dispatcher, RedisDispatch } from "./dispatch/index.ts";
import { createDatabaseDispatcher, createRunRelay, type RunRelayDeps } from "./dispatch/index.ts";
import {
  createExecutionControl,
  createExecutionService,
  createExecutionTotals,
  createRetention,
  createStatsService,
  type ExecutionControl,
  type ExecutionService,
  type ForgottenRun,
  type ReplaySources,
  type StatsService,
} from "./executions/index.ts";
import {
  type ActiveRun,
  type AnswerService,
  allOf,
  createAnswerService,
  createLoopDelay,
  createRunBroadcast,
  createRunService,
  createRunTail,
  createTurnstile,
  type HostContext,
  type LoopDelay,
  type PatienceOf,
  type RunBroadcast,
  type RunHooks,
  type RunService,
  type RunTail,
} from "./host/index.ts";
import {
  announcedOwner,
  type CostOf,
  costDollarsOf,
  createRunStore,
  createRunTailStore,
  createSessionTurns,
  type ProjectRun,
  type RunTailStore,
  toCostNanos,
  toSummary,
} from "./journal/index.ts";
import type { DueWork } from "./poller.ts";
import { type RunTimings, toRunTimings } from "./run-timings.ts";
import { isBuiltIn } from "./share-of.ts";

export type RunHostDeps = {
  database: Database;
  /** How processes tell each other what is ready and what happens. Absent: only over the database. */
  redis?: RedisDispatch | undefined;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  limits: RunHostLimits;
  /** Overrides of the default timings. */
  timings?: Partial<RunTimings>;
  /** The flow of an agent's version with the overrides of a run; undefined when the version is gone. */
  flowOfAgent(versionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
  patienceMs: PatienceOf;
  /** Consequences of the end of a run, by its kind, in the commit of that end. */
  runEnded: { chat: ProjectRun; upsert: ProjectRun };
  /** Called after the streams of this process. */
  observer: RunHooks["observer"];
  watch?: RunHooks["watch"];
  /** Removes secrets. */
  conceal<T>(shown: T): T;
  costOf: CostOf;
  budgetOf(agentId: string): Promise<Budget>;
  budgetRefused(refusal: BudgetRefusal): void;
  /** Removes other references to these runs, in the transaction that deletes them. */
  forgetRuns(tx: Kysely<Tables>, runs: readonly ForgottenRun[]): Promise<void>;
  replays: ReplaySources;
};

/**
 * `all`: accepts runs and works on them. `api` accepts them and leaves the work to others. `worker`: no client calls
 * it.
 */
export type Role = "all" | "api" | "worker";

export type RunHostLimits = {
  role: Role;
  /** Runs that execute at once, of all callers and of visitors alone. */
  maxConcurrentRuns: number;
  maxAnonymousRuns: number;
  /** Accepted runs that may wait for a slot. */
  maxQueuedRuns: number;
  /** How late the event loop may be before messages are refused; 0, the default: any time. */
  maxLoopDelayMs?: number;
  /** How long a run may take from its start. */
  runTimeoutMs: number;
  /** After the end of a run; 0: forever. */
  executionRetentionMs: number;
  payloadRetentionMs: number;
};

/** Services for runs. Some of them start runs themselves, so they are created after the host. */
export type RunEnvironment = Pick<EngineDeps, "services" | "memory" | "variables" | "recorder" | "conceal"> & {
  /** Flows of the platform itself by their version ids. */
  builtInFlows: ReadonlyMap<string, CompiledFlow>;
};

/** The runs of this process, and what is known of those of all processes on the database. */
export type RunHost = {
  runs: RunService;
  active: ReadonlyMap<string, ActiveRun>;
  broadcast: RunBroadcast;
  tail: RunTail;
  journals: RunTailStore;
  answers: AnswerService;
  budgets: Budgets;
  executions: ExecutionService & ExecutionControl;
  stats: StatsService;
  /** For other work that waits for a moment. */
  due: DueWork;
  /** Calls `wake` when a run of a webhook has ended here or started to wait, until the returned function is called. */
  onPause(wake: () => void): () => void;
  redisState(): RedisState;
  /** Aborted when this process starts to release its runs. */
  stopping: AbortSignal;
  /** Takes over what was left unfinished, and keeps doing so. No run starts before this. */
  start(environment: RunEnvironment): Promise<void>;
  /** Releases the runs of this process, resumable. */
  close(): Promise<void>;
};

/** Most upserts started by this process, most of which wait for earlier ones. More are refused. */
const maxOpenUpserts = 200;

export function createRunHost(deps: RunHostDeps): RunHost {
  const { database, clock, ids, logger, limits, conceal, costOf } = deps;
  const timings = toRunTimings(deps.timings);
  const active = new Map<string, ActiveRun>();
  const stopping = new AbortController();
  const loopDelay = createLoopDelay();
  const lessee = { owner: announcedOwner(ids.uuid()), leaseMs: timings.leaseMs };
  const turns = createSessionTurns(database, timings);
  const journals = createRunTailStore(database.read);
  const totals = createExecutionTotals();
  const store = { ...openRunStore(deps, { turns, active, created: totals.changed }), ...journals };
  const broadcast = createRunBroadcast();
  const isWorker = limits.role !== "api";
  const isHere = (runId: string) => active.has(runId);
  const { dispatcher, relay } = openDispatch(deps, { observer: broadcast, isHere, textsOf: broadcast.textsOf });
  const beginner = isWorker ? lessee : { ...lessee, owner: null };
  const watcher = deps.watch?.(active);
  const pauses = createPauses(active, dispatcher, relay ? undefined : database.signals);
  const observer = allOf(broadcast, relay, pauses, watcher, deps.observer);
  const told = { journal: store.journalOf(beginner), observer };
  const budgets = createBudgets(deps);
  const engine = createLateEngine(deps, { ...told, ...timings, budgets });
  const { flowOfRun } = engine;
  const context: HostContext = {
    ...{ store, clock, logger, lessee, turns, broadcast, active, flowOfRun, watcher },
    newId: ids.uuid,
    signals: database.signals,
    abandoned: new Set(),
    stopping: stopping.signal,
  };
  const runs = createRunService(context, {
    ...{ isWorker, dispatcher, relay, timings, ...turnstilesOf(limits, loopDelay) },
    startRun: engine.startRun,
    patienceMs: deps.patienceMs,
    maxRunning: limits.maxConcurrentRuns,
    maxWaiting: limits.maxQueuedRuns,
  });
  const tail = createRunTail({ store: journals, broadcast, clock, isHere, listen: relay?.listen, logger });
  const answers = createAnswerService(context, runs);
  const found = createExecutionService({ read: database.read, totals, store, flowOfRun, conceal, costOf });
  const replays = { ...deps.replays, flowOfRun, runs };
  const control = createExecutionControl({ ...deps, ...replays, answers, executions: found, totals });
  const retention = createRetention({ database, budgets, control, clock, logger, ...limits });
  return {
    runs,
    active,
    broadcast,
    tail,
    journals,
    answers,
    budgets,
    executions: { ...found, ...control },
    stats: createStatsService(database.read, found.list, clock.now),
    due: dueWorkOf(dispatcher),
    onPause: pauses.onPause,
    redisState: () => redisStateOf(deps.redis),
    stopping: stopping.signal,
    async start(environment) {
      engine.open(environment);
      database.signals.hear("run-paused", (text) => tail.look(text.split(",")));
      await runs.start();
      loopDelay.start();
      if (isWorker) retention.start();
    },
    async close() {
      stopping.abort();
      loopDelay.stop();
      // In this turn, before other work: a run whose wait for a child run is aborted before it is released would fail.
      await Promise.all([runs.shutDown(), retention.stop()]);
      // Other processes continue the released runs; clients that wait here get their answers.
      if (database.signals.seesOthers()) await tail.drain(timings.drainMs).catch(() => undefined);
      tail.close();
      await deps.redis?.link.close();
    },
  };
}

function dueWorkOf({ announce, onWake }: Dispatcher): DueWork {
  return { announce: (at) => announce("due", at), onDue: (wake) => onWake("due", async () => wake()) };
}

/** Pauses within this time are told in one message, which may name this many runs. */
const gatherMs = 5;
const runsAtOnce = 25;

/** Notices when runs end and start to wait. `untold`: no relay tells those who follow a run elsewhere. */
function createPauses(active: ReadonlyMap<string, ActiveRun>, { announce }: Dispatcher, untold: Signals | undefined) {
  const wakes = new Set<() => void>();
  let gathered: string[] = [];

  function tell(runId: string): void {
    if (gathered.push(runId) > 1) return;
    setTimeout(() => {
      for (let from = 0; from < gathered.length; from += runsAtOnce) {
        untold?.tell("run-paused", gathered.slice(from, from + runsAtOnce).join());
      }
      gathered = [];
    }, gatherMs);
  }

  return {
    committed(runId: string, events: readonly RunEvent[]): void {
      const last = events.at(-1);
      const isSuspended = last?.type === "run-suspended";
      if (isSuspended && last.dueAt !== undefined) announce("due", last.dueAt);
      if (last === undefined || !(isSuspended || isTerminalEvent(last))) return;
      const run = active.get(runId);
      if (untold && run?.isDelegated) tell(runId);
      if (run && run.handle.state.started?.input.webhook === undefined) return;
      for (const wake of wakes) wake();
    },
    delta: () => undefined,
    onPause(wake: () => void): () => void {
      wakes.add(wake);
      return () => void wakes.delete(wake);
    },
  };
}

function openDispatch({ database, redis }: RunHostDeps, relayed: Omit<RunRelayDeps, "link" | "notes">) {
  if (redis === undefined) return { dispatcher: createDatabaseDispatcher(database.signals), relay: undefined };
  const { dispatcher, link, notes } = redis;
  return { dispatcher, relay: createRunRelay({ link, notes, ...relayed }) };
}

function redisStateOf(redis: RedisDispatch | undefined): RedisState {
  if (redis === undefined) return "off";
  return redis.link.commands.status === "ready" ? "connected" : "unreachable";
}

type OpenRunStore = {
  turns: ReturnType<typeof createSessionTurns>;
  active: ReadonlyMap<string, ActiveRun>;
  created(): void;
};

/** The runs, and the consequences of their ends: a chat's messages, or a document store's state. */
function openRunStore({ database, runEnded, costOf }: RunHostDeps, { turns, active, created }: OpenRunStore) {
  return createRunStore({
    database,
    turns,
    created,
    project: (run, events) => runEnded[isBuiltIn(run.agentVersionId) ? "upsert" : "chat"](run, events),
    summarise(runId, end) {
      const run = active.get(runId);
      if (run === undefined) return undefined;
      const { flow, handle } = run;
      const { state } = handle;
      return {
        summary: toSummary({ flow, state }, end),
        startedAt: state.started?.at,
        costNanos: toCostNanos(costDollarsOf(state.usageByModel, costOf)),
      };
    },
  });
}

function turnstilesOf(limits: RunHostLimits, { lateMs }: LoopDelay) {
  const { maxConcurrentRuns: maxRunning, maxQueuedRuns: maxWaiting, maxAnonymousRuns, maxLoopDelayMs = 0 } = limits;
  const loop = maxLoopDelayMs === 0 ? undefined : { lateMs, limitMs: maxLoopDelayMs };
  return {
    turnstile: createTurnstile({ maxRunning, maxWaiting, maxAnonymous: maxAnonymousRuns, ...(loop && { loop }) }),
    builtInTurnstile: createTurnstile({ maxRunning: maxOpenUpserts, maxWaiting: 0 }),
  };
}

/** The engine, once its services are known. Until then nothing runs. */
function createLateEngine(
  { clock, ids, logger, limits, flowOfAgent }: RunHostDeps,
  {
    journal,
    observer,
    confidenceMs,
    budgets,
  }: Pick<EngineDeps, "journal" | "observer"> & RunTimings & { budgets: Budgets },
) {
  let opened: { engine: EngineDeps; builtInFlows: RunEnvironment["builtInFlows"] } | undefined;

  function afterOpening() {
    if (opened === undefined) throw new Error("No run begins before the host has started.");
    return opened;
  }

  return {
    open({ builtInFlows, ...environment }: RunEnvironment): void {
      const engine: EngineDeps = {
        ...environment,
        journal,
        observer,
        budgets,
        confidenceMs,
        clock,
        ids,
        limits: { ...defaultRunLimits, wallTimeMs: limits.runTimeoutMs },
        onBug: (cause) => logger.error("run-bug", { cause }),
      };
      opened = { engine, builtInFlows };
    },
    startRun: (options: StartRunOptions): RunHandle => startRun(afterOpening().engine, options),
    /** The flow that a run started with; undefined when its version is gone. */
    async flowOfRun(versionId: string, input: RunInput): Promise<CompiledFlow | undefined> {
      return isBuiltIn(versionId) ? afterOpening().builtInFlows.get(versionId) : flowOfAgent(versionId, input);
    },
  };
}
