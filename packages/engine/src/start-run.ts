import { chatOwnerOf, type RunEvent, type RunEventBody, type RunEventOf, type Share, WeftError } from "@weft/schema";
import type { CompiledFlow } from "./flow/compile-flow.ts";
import type { NodeServices, RunInfo } from "./node-type.ts";
import type { RunBudgets } from "./ports/budget.ts";
import type { Clock, IdSource, Variables } from "./ports/clock.ts";
import type { EffectRecorder } from "./ports/effect-recorder.ts";
import { type Journal, LeaseLostError } from "./ports/journal.ts";
import type { Memory, MemorySession, RememberedMessage } from "./ports/memory.ts";
import type { RunObserver } from "./ports/observer.ts";
import { applyEvent } from "./run/fold.ts";
import { createRunBudget, limitsOf, type RunBudget, type RunLimits } from "./run/run-budget.ts";
import { createRunSignals, type RunContext, type RunSignals } from "./run/run-context.ts";
import { createRunJournal } from "./run/run-journal.ts";
import { emptyRunState, type RunState } from "./run/run-state.ts";
import { driveRun, type RunOutcome } from "./scheduler.ts";

/** Shared by every run of a process. */
export type EngineDeps = {
  journal: Journal;
  observer: RunObserver;
  clock: Clock;
  ids: IdSource;
  services: NodeServices;
  memory: Memory;
  variables: Variables;
  limits: RunLimits;
  /** How long this process may trust that it still owns a run. Default and maximum: `confidenceMs`. */
  confidenceMs?: number;
  /** Shared usage of several runs. Absent: each counts alone. */
  budgets?: RunBudgets;
  /** Absent: every effect is performed. */
  recorder?: EffectRecorder;
  /** Removes from an event everything that no journal, log or person may see. Absent: events are kept as they are. */
  conceal?(body: RunEventBody): RunEventBody;
  onBug(cause: unknown): void;
};

export type StartRunOptions = {
  runId: string;
  /** The lease's fencing token. */
  epoch: number;
  flow: CompiledFlow;
  /** Starts a new run. Absent: the run continues from `events`. */
  begin?: RunEventOf<"run-started">;
  /** The journal so far; empty for a new run. */
  events?: readonly RunEvent[];
  /** Events that end waits of the run: a human's answer, a moment or a signal. */
  resume?: Resumption | readonly Resumption[];
  /** `Clock.elapsed` when this process requested its lease: it may have been stalled since. Default now. */
  heldSince?: number;
  /** Its session was created for it, so nothing came before. Default false. */
  isFirst?: boolean | undefined;
  /** Facts to journal before the first step, such as ignored overrides. */
  warnings?: readonly { code: string; message: string }[];
  /** Someone follows the text as it is written. */
  live: boolean;
  /** On whose behalf it works. Default: the agent. */
  share?: Share;
  /** The session's turn. The run is accepted and durable at once; its first step waits for this. */
  turn?: Promise<void>;
  /**
   * Makes the start or the resumption durable and stops: another process continues. A run that was aborted by then ends
   * here. Default false.
   */
  isHandedOver?: boolean;
};

export type Resumption = Omit<RunEventOf<"node-resumed">, "type">;

export type RunHandle = {
  readonly runId: string;
  readonly state: RunState;
  /**
   * Resolves when the run's start or resumption is durable. Rejects with `LeaseLostError` if another process owns it.
   */
  readonly accepted: Promise<void>;
  /** Rejects only for a bug or a database that cannot be written; the journal then decides what happens next. */
  readonly done: Promise<RunOutcome>;
  /** After this no new step starts (G8). */
  cancel(): void;
  /** Ends the run as failed. After this no new step starts. */
  fail(cause: WeftError): void;
  /** Releases the run: reads give up, writes finish, and the process that takes the run over does the rest. */
  stop(): void;
};

/** Starts, continues or resumes a run in this process. */
export function startRun(deps: EngineDeps, options: StartRunOptions): RunHandle {
  const state = emptyRunState();
  const { graph } = options.flow;
  for (const event of options.events ?? []) applyEvent(state, graph, event);
  const signals = createRunSignals();
  // Separate from the signal's reason: a run may lose its lease while it ends for another reason.
  let isLost = false;
  const journal = createRunJournal({
    ...deps,
    runId: options.runId,
    epoch: options.epoch,
    heldSince: options.heldSince,
    graph,
    state,
    onFailure(cause) {
      isLost ||= cause instanceof LeaseLostError;
      signals.abort(cause);
    },
  });
  if (options.begin) journal.record(options.begin);
  for (const resume of [options.resume ?? []].flat()) journal.record({ type: "node-resumed", ...resume });
  for (const warning of options.warnings ?? []) journal.record({ type: "run-warned", ...warning });
  const done = drive(deps, options, { state, journal, graph, ...signals }).catch((cause: unknown) => {
    if (isLost || cause instanceof LeaseLostError) return "lost" as const;
    throw cause;
  });
  return {
    runId: options.runId,
    state,
    accepted: journal.accepted,
    done,
    cancel: () => signals.abort(cancelled()),
    fail: signals.abort,
    stop: signals.stop,
  };
}

type Controls = Pick<RunContext, "state" | "journal" | "graph"> & RunSignals;

async function drive(deps: EngineDeps, options: StartRunOptions, controls: Controls): Promise<RunOutcome> {
  const { state, journal, readSignal } = controls;
  const interrupted = new Promise<void>((resolve) => {
    readSignal.addEventListener("abort", () => resolve(), { once: true });
  });
  if (options.turn || options.resume || options.isHandedOver) await journal.flush();
  if (options.isHandedOver && !controls.signal.aborted) return "stopped";
  if (options.turn) await Promise.race([options.turn, interrupted]);
  const info = runInfo(options, state);
  const loadHistory = lastOf((limit) => historyOf(deps.memory, options, { info, state, limit }));
  const ended = new AbortController();
  const limits = { ...limitsOf(deps.limits, info.budget), ...options.flow.limits };
  const budget = createRunBudget({ ...deps, info, state, limits, isShared: await isShared(deps, options, info) });
  const { wallTimeMs } = limits;
  const endsAt = deps.clock.elapsed() + wallTimeMs;
  deps.clock.sleep(wallTimeMs, ended.signal).then(
    () => controls.abort(new WeftError("flow-timeout", { params: { limitMs: wallTimeMs } })),
    () => undefined,
  );
  try {
    return await driveRun({
      ...deps,
      ...controls,
      services: servicesOf(deps, { budget, info }),
      limits,
      budget,
      timeLeftMs: () => endsAt - deps.clock.elapsed(),
      info,
      vars: { ...(await deps.variables.all()), ...info.input.vars },
      live: options.live,
      // The last part of an id is random, whatever precedes it.
      dataMark: once(() => deps.ids.uuid().replaceAll("-", "").slice(-16)),
      loadHistory,
      loadLastState: () => deps.memory.lastState({ ...sessionOf(info), beforeRun: info.runId }),
      templateHistory: options.flow.usesHistory ? await loadHistory() : [],
      interrupted,
    });
  } finally {
    ended.abort("ended");
  }
}

function runInfo({ runId, epoch, share }: StartRunOptions, { started }: RunState): RunInfo {
  if (!started) throw new Error(`The journal of run ${runId} does not begin with run-started.`);
  const { agentId, chatId, sessionId, chatType, owner, apiMessageId, input, depth, budget } = started;
  return {
    runId,
    epoch,
    agentId,
    chatId,
    sessionId,
    chatType,
    owner,
    chatOwner: chatOwnerOf(started),
    apiMessageId,
    input,
    depth,
    share: share ?? { name: agentId, isAnonymous: false },
    budget,
  };
}

/** Whether other runs already share its limits. A new run is alone, unless another run called it. */
async function isShared({ budgets }: EngineDeps, { events = [] }: StartRunOptions, info: RunInfo): Promise<boolean> {
  if (budgets === undefined || info.depth > 0) return budgets !== undefined;
  return events.length > 0 && (await budgets.isShared(info.runId));
}

/**
 * The services under the run's own share. Its requests to a host wait for each other, and a run that starts others
 * shares its limits from then on.
 */
function servicesOf(
  { budgets, services }: EngineDeps,
  { budget, info }: { budget: RunBudget; info: RunInfo },
): NodeServices {
  const { sandbox, sql, childRuns, http } = services;
  const { share } = info;
  let limited: NodeServices["http"] | undefined;
  return {
    ...services,
    get http() {
      limited ??= budgets?.limitHttp(info.budget?.rootRunId ?? info.runId, http) ?? http;
      return limited;
    },
    sandbox: { run: (call) => sandbox.run({ share, ...call }) },
    sql: {
      run: (call) => sql.run({ share, ...call }),
      describe: (call) => sql.describe({ share, ...call }),
      effectOf: sql.effectOf,
    },
    childRuns: {
      async run(request) {
        await budget.share();
        return childRuns.run(request);
      },
    },
  };
}

/** A session continues while a run waits: messages since then are not part of the run's past. */
async function historyOf(
  memory: Memory,
  { flow, isFirst }: StartRunOptions,
  { info, state, limit }: { info: RunInfo; state: RunState; limit: number },
): Promise<readonly RememberedMessage[]> {
  if (info.input.history) return info.input.history;
  if (flow.isEphemeral || (isFirst && !state.hasWaited)) return [];
  return memory.messages({
    ...sessionOf(info),
    ...(state.hasWaited && { beforeRun: info.runId }),
    ...(limit !== Number.POSITIVE_INFINITY && { limit }),
  });
}

/** Reloads only if asked for more than before. */
function lastOf<T>(load: (limit: number) => Promise<readonly T[]>): (limit?: number) => Promise<readonly T[]> {
  let loaded: { limit: number; all: Promise<readonly T[]> } | undefined;
  return async (limit = Number.POSITIVE_INFINITY) => {
    if (loaded === undefined || limit > loaded.limit) loaded = { limit, all: load(limit) };
    const all = await loaded.all;
    return limit < all.length ? all.slice(all.length - limit) : all;
  };
}

function sessionOf({ agentId, chatOwner, sessionId }: RunInfo): MemorySession {
  return { agentId, owner: chatOwner, sessionId };
}

function once<T extends {}>(load: () => T): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

function cancelled(): WeftError {
  return new WeftError("flow-cancelled");
}
