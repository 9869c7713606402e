import type { Tables } from "@weft/database";
import { applyEvent, type CompiledFlow, emptyRunState, openQuestions, openWaits } from "@weft/engine";
import { type Reach, reaches } from "@weft/http/identity";
import {
  type Execution,
  type ExecutionSummary,
  type RunEvent,
  type RunInput,
  toFlowGraph,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import {
  type CostOf,
  costDollarsOf,
  parseSummary,
  questionText,
  type RunStore,
  type RunTailStore,
  signalsOf,
  toAction,
  toDollars,
} from "../journal/index.ts";
import type { RunRow, VisibleRun } from "../run-tables.ts";
import { toExecutedData } from "./executed-data.ts";
import {
  type ExecutionFilter,
  type ExecutionRow,
  type ExecutionTotals,
  listExecutions,
  listStepEvents,
  stateOf,
} from "./execution.store.ts";
import { toSteps } from "./execution-steps.ts";
import { findImportedData, importedVersionId, toImportedSteps } from "./imported-runs.ts";
import { originOf } from "./origin.ts";
import { createWaitingList, type WaitingList } from "./waiting-list.ts";

export type ExecutionServiceDeps = {
  read: Kysely<Tables>;
  totals: ExecutionTotals;
  store: RunStore & RunTailStore;
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
  /** Removes secrets from values shown to people. */
  conceal<T>(shown: T): T;
  costOf: CostOf;
};

/** A run, its journal and the flow that it started with. */
export type LoadedExecution = { run: RunRow; events: readonly RunEvent[]; flow: CompiledFlow };

/** `page` starts at 1. */
export type ExecutionQuery = ExecutionFilter & { page: number; limit: number };

export type ExecutionService = {
  /** One page, most recently updated first, and the number of matches. Reads journals only for `withData`. */
  list(query: ExecutionQuery, options?: { withData: boolean }): Promise<{ data: ExecutionSummary[]; total: number }>;
  /** One page of the runs that wait for a human, most recent question first, and their number. */
  listWaiting: WaitingList;
  /**
   * One run with its steps. Values of `wholeStep`, a step's key, are not truncated. Rejects with `not-found`, also if
   * the run is out of reach.
   */
  get(id: string, reach: Reach, wholeStep?: string): Promise<Execution>;
  /** Rejects with `not-found`, also if it is out of reach or its flow is gone. */
  load(id: string, reach: Reach): Promise<LoadedExecution>;
  /** The run's agent, origin and chat owner; undefined for an unknown run. */
  find(id: string): Promise<VisibleRun | undefined>;
  /** The runs among these that exist and are within reach. */
  reached(ids: readonly string[], reach: Reach): Promise<string[]>;
};

export function createExecutionService(deps: ExecutionServiceDeps): ExecutionService {
  const { read, totals, store, flowOfRun, conceal, costOf } = deps;

  async function loadOrReject(id: string, reach: Reach) {
    const loaded = await store.load(id);
    const first = loaded?.events[0];
    if (!loaded || first?.type !== "run-started" || !reaches(reach, loaded.run)) throw executionNotFound(id);
    return { ...loaded, first, flow: await flowOfRun(loaded.run.agentVersionId, first.input) };
  }

  async function executedData(agentVersionId: string, events: readonly RunEvent[]): Promise<string> {
    const [first] = events;
    const flow = first?.type === "run-started" ? await flowOfRun(agentVersionId, first.input) : undefined;
    return JSON.stringify(conceal(flow ? toExecutedData(flow, events) : []));
  }

  /** Steps of these runs as of when their rows were read; none if a run was deleted since, or its flow is gone. */
  async function listExecutedData(runs: readonly ExecutionRow[]): Promise<string[]> {
    const texts: string[] = [];
    for (const few of inPortions(runs)) {
      const eventsByRun = await listStepEvents(read, few);
      for (const { id, agentVersionId } of few) {
        const isImported = agentVersionId === importedVersionId;
        texts.push(
          isImported
            ? conceal(await findImportedData(read, id))
            : await executedData(agentVersionId, eventsByRun.get(id) ?? []),
        );
      }
    }
    return texts;
  }

  return {
    find: store.find,
    listWaiting: createWaitingList(deps),
    async reached(ids, reach) {
      const found = await Promise.all(ids.map(async (id) => ({ id, run: await store.find(id) })));
      return found.flatMap(({ id, run }) => (run && reaches(reach, run) ? [id] : []));
    },
    async list({ page, limit, ...filter }, { withData } = { withData: false }) {
      const offset = (page - 1) * limit;
      const rows = await listExecutions(read, filter, { offset, limit });
      const summaries = rows.map((row) => conceal(toExecutionSummary(row)));
      const texts = withData ? await listExecutedData(rows) : [];
      const data = summaries.map((summary, index) => {
        const executionData = texts[index];
        return executionData === undefined ? summary : { ...summary, executionData };
      });
      // A page that is not full is the last one.
      const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
      return { data, total: isLast ? offset + rows.length : await totals.of(read, filter) };
    },
    async get(id, reach, wholeStep) {
      const [row] = await listExecutions(read, { id, reach }, { offset: 0, limit: 1 });
      if (row === undefined) throw executionNotFound(id);
      if (row.agentVersionId === importedVersionId) return conceal(await toImportedExecution(read, row));
      const { run, first, flow, events } = await loadOrReject(id, reach);
      return conceal({
        // The run as of when its events were read: it may have ended since.
        ...toExecutionSummary({ ...row, ...run }),
        ...whatIsLong(flow, events, { run, costOf }),
        question: questionText(first.input),
        agentVersionId: row.agentVersionId,
        executionData: JSON.stringify(conceal(flow ? toExecutedData(flow, events) : [])),
        steps: toSteps(flow ?? { graph: { nodes: new Map(), levels: new Map() } }, events, { costOf, wholeStep }),
        graph: flow ? toFlowGraph(flow.flow) : null,
        retriedFrom: first.retriedFrom ?? null,
        replayedFrom: first.replayedFrom ?? null,
      });
    },
    async load(id, reach) {
      const { run, events, flow } = await loadOrReject(id, reach);
      if (!flow) throw executionNotFound(id);
      return { run, events, flow };
    },
  };
}

/** A run imported from another server, as far as it was kept. */
async function toImportedExecution(read: Kysely<Tables>, row: ExecutionRow): Promise<Execution> {
  const executionData = await findImportedData(read, row.id);
  return {
    ...toExecutionSummary(row),
    agentVersionId: row.agentVersionId,
    executionData,
    steps: toImportedSteps(executionData, row.createdDate),
    graph: null,
    warnings: [],
    retriedFrom: null,
    replayedFrom: null,
  };
}

/** Events read at once, so that a page of long runs does not hold all of them. */
const eventsAtOnce = 500;

/** Splits runs, in order, into groups with few enough events, or single runs. */
function inPortions(runs: readonly ExecutionRow[]): ExecutionRow[][] {
  const portions: ExecutionRow[][] = [];
  let events = Number.POSITIVE_INFINITY;
  for (const run of runs) {
    events += run.lastSeq;
    if (events <= eventsAtOnce) {
      portions.at(-1)?.push(run);
    } else {
      portions.push([run]);
      events = run.lastSeq;
    }
  }
  return portions;
}

export function executionNotFound(id: string): WeftError {
  return new WeftError("not-found", { params: { resource: "execution", id } });
}

function toExecutionSummary(row: ExecutionRow): ExecutionSummary {
  const { question, text, error, usage, action, signals } = parseSummary(row.summary);
  const { createdDate, stoppedDate } = row;
  const isRunning = row.status === "running";
  return {
    id: row.id,
    agentflowId: row.agentId,
    agentflow: row.agentName === null ? null : { id: row.agentId, name: row.agentName },
    chatId: row.chatId,
    sessionId: row.sessionId,
    state: stateOf(row),
    origin: originOf(row),
    question,
    text: isRunning ? null : text,
    error,
    usage,
    costDollars: toDollars(row.costNanos),
    action: row.status === "suspended" ? action : null,
    waitsUntil: row.dueAt === null ? null : toMoment(row.dueAt),
    waitsForSignals: row.status === "suspended" || row.dueAt !== null ? signals : [],
    createdDate,
    updatedDate: row.updatedDate,
    stoppedDate,
    durationMs: stoppedDate === null ? null : Date.parse(stoppedDate) - Date.parse(createdDate),
  };
}

/** Values that lists truncate or lack, from the journal. */
function whatIsLong(
  flow: CompiledFlow | undefined,
  events: readonly RunEvent[],
  { run, costOf }: { run: RunRow; costOf: CostOf },
) {
  const end = events.at(-1);
  const state = emptyRunState();
  for (const event of flow ? events : []) if (flow) applyEvent(state, flow.graph, event);
  const isSuspended = end?.type === "run-suspended";
  const asked = isSuspended ? openQuestions(state).at(-1)?.wait : undefined;
  const last = asked ?? (isSuspended ? openWaits(state).at(-1)?.wait : undefined);
  return {
    text: end?.type === "run-completed" ? end.text : (last?.text ?? null),
    error: end?.type === "run-failed" ? end.error : null,
    usage: state.usage,
    // A run's cost is recorded once, when it ends.
    costDollars: run.stoppedDate === null ? costDollarsOf(state.usageByModel, costOf) : toDollars(run.costNanos),
    warnings: [...state.warnings],
    action: asked && flow ? toAction(flow, asked) : null,
    waitsForSignals: isSuspended ? signalsOf(state) : [],
  };
}
