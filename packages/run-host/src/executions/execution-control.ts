import { type Database, isUniqueViolation, type Tables } from "@weft/database";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import { everything } from "@weft/http/identity";
import {
  type ExecutionAnswer,
  type ExecutionReplay,
  type Json,
  type RunError,
  type RunEvent,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { Answerer, AnswerService, RunService, RunSignal } from "../host/index.ts";
import { uuidOf } from "../uuid-of.ts";
import { type ExecutionService, executionNotFound } from "./execution.service.ts";
import { deleteEnded, type ExecutionTotals, listEndedBefore } from "./execution.store.ts";
import { type ReplayDeps, type Replayer, replay } from "./replay.ts";

/**
 * Actions on runs within reach. Rejects with `not-found`, and with `conflict` if the run's state does not allow the
 * action.
 */
export type ExecutionControl = {
  /** Ends a running or waiting run. Resolves when no new step of it starts any more (G8). */
  cancel(id: string): Promise<void>;
  /**
   * Starts a run that continues where a failed one stopped. Finished work is not repeated (G2). Resolves with the new
   * run's id once it is durable. A run is retried once; after that, retry the new one.
   */
  retry(id: string): Promise<string>;
  /** Like `replay` in `replay.ts`. */
  replay(id: string, request: ExecutionReplay, by: Replayer): Promise<string>;
  /** Answers a run that waits for a human. Resolves once the answer is durable and the run continues. */
  answer(id: string, answer: ExecutionAnswer, by: Answerer): Promise<void>;
  /**
   * Ends a run's waits with a signal. Resolves once it is taken and the run continues. Rejects with `conflict` if the
   * run does not wait for this signal.
   */
  signal(id: string, signal: RunSignal): Promise<void>;
  /**
   * Deletes the existing runs among these, none of which may be running or waiting. Their messages stay. Resolves with
   * the count.
   */
  remove(ids: readonly string[]): Promise<number>;
  /** Deletes some runs that ended before a moment, in milliseconds since the epoch. False: there was none. */
  removeEndedBefore(at: number): Promise<boolean>;
};

export type ForgottenRun = { executionId: string; chatId: string; agentVersionId: string };

export type ExecutionControlDeps = ReplayDeps & {
  database: Database;
  clock: Clock;
  ids: IdSource;
  runs: RunService;
  answers: AnswerService;
  executions: ExecutionService;
  totals: ExecutionTotals;
  /** Removes other references to these runs, in the transaction that deletes them. */
  forgetRuns(tx: Kysely<Tables>, runs: readonly ForgottenRun[]): Promise<void>;
};

const batchSize = 100;
/** How long another process may take to notice a cancel. */
const cancelPatienceMs = 10_000;
const cancelPollMs = 50;

export function createExecutionControl(deps: ExecutionControlDeps): ExecutionControl {
  const { database, clock, runs, answers, executions, forgetRuns } = deps;

  async function stateOf(id: string) {
    const { data } = await executions.list({ id, reach: everything, page: 1, limit: 1 });
    if (data[0] === undefined) throw executionNotFound(id);
    return data[0].state;
  }

  async function isOpen(id: string): Promise<boolean> {
    return ["INPROGRESS", "STOPPED"].includes(await stateOf(id));
  }

  async function deleteThose(chosen: readonly string[]): Promise<number> {
    const deleted = await database.write(async (tx) => {
      const gone = await deleteEnded(tx, chosen);
      const named = gone.map(({ id: executionId, ...run }) => ({ executionId, ...run }));
      if (named.length > 0) await forgetRuns(tx, named);
      return gone;
    });
    if (deleted.length > 0) deps.totals.changed();
    return deleted.length;
  }

  return {
    async cancel(id) {
      if (!(await isOpen(id))) throw conflict("This run has ended, so there is nothing to cancel.");
      await runs.cancel(id);
      const until = clock.now() + cancelPatienceMs;
      while ((await isOpen(id)) && clock.now() < until) await clock.sleep(cancelPollMs, AbortSignal.timeout(60_000));
    },

    retry: (id) => retry(deps, id),

    replay: (id, request, by) => replay(deps, id, request, by),

    async answer(id, { waitId, ...answer }, by) {
      const run = await executions.find(id);
      if (run === undefined) throw executionNotFound(id);
      const { agentId } = run;
      if ((await stateOf(id)) !== "STOPPED") throw conflict("This run is not waiting for an answer.");
      await answers.answer({ agentId, by, executionId: id, waitId, answer, live: true });
    },

    signal: runs.signal,

    async remove(chosen) {
      for (const id of chosen) {
        const { data } = await executions.list({ id, reach: everything, page: 1, limit: 1 });
        const state = data[0]?.state;
        if (state !== "INPROGRESS" && state !== "STOPPED") continue;
        throw conflict(`The run ${id} is still running or waiting. Cancel it first.`);
      }
      let count = 0;
      for (let index = 0; index < chosen.length; index += batchSize) {
        count += await deleteThose(chosen.slice(index, index + batchSize));
      }
      return count;
    },

    async removeEndedBefore(at) {
      const old = await listEndedBefore(database.read, toMoment(at), batchSize);
      return old.length > 0 && (await deleteThose(old)) > 0;
    },
  };
}

async function retry({ clock, ids, runs, executions }: ExecutionControlDeps, id: string): Promise<string> {
  const { events, flow } = await executions.load(id, everything);
  const [started] = events;
  if (started?.type === "run-started" && started.depth > 0) {
    throw conflict("This run was called by another run. Retry that one instead.");
  }
  if (lacksPayloads(events)) {
    throw conflict(
      "Large inputs and outputs of this run have since been removed, so it cannot continue from where it failed. Send its question again.",
    );
  }
  const journal = toRetryJournal(events, { runId: id, apiMessageId: ids.uuid(), now: clock.now() });
  if (journal === undefined) throw conflict("Only a run that failed can be retried.");
  const runId = uuidOf(`retry of ${id}`);
  try {
    await runs.beginWith({ runId, flow, events: journal });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw conflict(`This run was already retried. If run ${runId} failed as well, retry that one.`);
  }
  return runId;
}

/** True if part of the run's payloads was removed, so that it cannot be repeated from its journal. */
function lacksPayloads(events: readonly RunEvent[]): boolean {
  return events.some(({ removedAfterDays }) => removedAfterDays !== undefined);
}

function conflict(reason: string): WeftError {
  return new WeftError("conflict", { params: { reason } });
}

type RetryFacts = { runId: string; apiMessageId: string; now: number };

/**
 * The journal of a run that continues where a failed one stopped: everything except the failure. The failures that
 * ended a step are left out, and so are the effects that caused them: these steps continue, their finished effects
 * return their recorded values, and the failed ones are attempted again. Undefined for a run that did not fail.
 */
function toRetryJournal(events: readonly RunEvent[], facts: RetryFacts): RunEvent[] | undefined {
  const [started] = events;
  if (started?.type !== "run-started" || events.at(-1)?.type !== "run-failed") return undefined;
  const causes = findCauses(events);
  const failed = new Set(events.flatMap((event) => (isCause(event, causes) ? [effectOf(event)] : [])));
  const { runId: retriedFrom, apiMessageId, now } = facts;
  const kept = events.slice(1, -1).filter((event) => {
    if (event.type === "node-failed") return event.next.type !== "stop";
    if (event.type === "effect-started" || event.type === "effect-finished") return !failed.has(effectOf(event));
    return true;
  });
  return [{ ...started, retriedFrom, repeats: kept.length, apiMessageId, at: now }, ...kept].map((event, index) => ({
    ...event,
    seq: index + 1,
  }));
}

/** The error behind each step that failed for good. */
function findCauses(events: readonly RunEvent[]): Map<string, RunError> {
  return new Map(
    events.flatMap((event) =>
      event.type === "node-failed" && event.next.type === "stop" ? [[event.nodeKey, event.error] as const] : [],
    ),
  );
}

function isCause(event: RunEvent, causes: ReadonlyMap<string, RunError>): event is RunEvent & EffectEvent {
  if (event.type !== "effect-finished" || event.outcome.ok) return false;
  const cause = causes.get(event.nodeKey);
  return cause !== undefined && isSame(cause, event.outcome.error);
}

type EffectEvent = { nodeKey: string; effectKey: string };

function effectOf({ nodeKey, effectKey }: EffectEvent): string {
  return `${nodeKey}:${effectKey}`;
}

function isSame(a: RunError, b: RunError): boolean {
  const facts = ({ code, message, upstream }: RunError): Json => [code, message, upstream?.status ?? null];
  return JSON.stringify(facts(a)) === JSON.stringify(facts(b));
}
