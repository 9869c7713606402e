import type { Tables } from "@weft/database";
import type { CompiledFlow } from "@weft/engine";
import type { Reach } from "@weft/http/identity";
import { type ScheduleSettings, scheduleOf } from "@weft/nodes";
import {
  type Finding,
  momentAfter,
  type ScheduleLog,
  type ScheduleRecord,
  type ScheduleStatus,
  toMoment,
  WeftError,
} from "@weft/schema";
import { findTimingProblem, nextMoment } from "@weft/schema/timing";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import type { ScheduleRow } from "./schedule.store.ts";
import * as store from "./schedule.store.ts";

/** An agent's flow as it is saved. */
export type SavedFlow = { id: string; versionId: string; flowData: string };

export type ScheduleLogQuery = store.FiringFilter & { page: number; limit: number };

/** The schedules of flows. Reads reject with `not-found` for an unknown agent. */
export type ScheduleService = {
  /**
   * For the transaction that saves an agent: its schedule becomes that of the flow, enabled unless it was switched off.
   */
  sync(tx: Kysely<Tables>, saved: SavedFlow): Promise<void>;
  /** For an agent about to be imported from another installation: its flow's schedule will be off. */
  keepOff(agentId: string): Promise<void>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /** Finds why a schedule is invalid. */
  check(flow: CompiledFlow): Finding[];
  status(agentId: string): Promise<ScheduleStatus>;
  /** Of the agents within reach whose published flow has a valid one: the soonest first, and those that are off last. */
  list(reach: Pick<Reach, "agents">): Promise<ScheduleRecord[]>;
  /** Rejects with `conflict` if there is no valid schedule. */
  setEnabled(agentId: string, enabled: boolean): Promise<ScheduleRecord>;
  /** Newest first. */
  logs(query: ScheduleLogQuery): Promise<{ data: ScheduleLog[]; total: number }>;
};

const noTiming = { cron: "", timeZone: "UTC", endDate: "", catchUp: "skip" } as const;
const noSchedule = "The flow does not begin with a schedule. Choose one as the input of its start node.";

export function createScheduleService(
  { database, clock, config: { minScheduleIntervalMs } }: Context,
  { runHost: { due }, runnables: { getForRun, compile } }: Needs<"runHost" | "runnables">,
): ScheduleService {
  /** Called before the commit, which happens long before the moment. */
  function announce({ nextDate }: ScheduleRow): void {
    if (nextDate !== null) due.announce(Date.parse(nextDate));
  }

  const problemOf = (settings: ScheduleSettings) => findTimingProblem(settings, minScheduleIntervalMs, clock.now());

  async function settingsOf(agentId: string): Promise<ScheduleSettings | undefined> {
    const { versionId, flowData } = await getForRun(agentId);
    return scheduleOf(compile(versionId, flowData));
  }

  return {
    async sync(tx, { id, versionId, flowData }) {
      const settings = scheduleOf(compile(versionId, flowData));
      const before = await store.findSchedule(tx, id);
      if (!settings && !before) return;
      const kept = settings && problemOf(settings) === undefined ? toColumns(settings) : noTiming;
      const row = toRow(before ?? { agentId: id, enabled: 1 }, kept, clock.now());
      await store.saveSchedule(tx, row);
      announce(row);
    },

    async keepOff(agentId) {
      const row = toRow({ agentId, enabled: 0 }, noTiming, clock.now());
      await database.write((tx) => store.saveSchedule(tx, row));
    },

    removeOfAgent: (tx, agentId) => store.deleteSchedule(tx, agentId),

    check(flow) {
      const settings = scheduleOf(flow);
      const message = settings && problemOf(settings);
      return message === undefined ? [] : [{ level: "error", code: "schedule-invalid", nodeId: null, message }];
    },

    async status(agentId) {
      const settings = await settingsOf(agentId);
      const reason = settings ? problemOf(settings) : noSchedule;
      const row = await store.findSchedule(database.read, agentId);
      const record = row && row.cron !== "" ? toRecord(row) : null;
      return { enabled: record?.enabled ?? false, canEnable: reason === undefined, reason: reason ?? null, record };
    },

    async list({ agents }) {
      return (await store.listSchedules(database.read, agents)).map(toRecord);
    },

    async setEnabled(agentId, enabled) {
      const settings = await settingsOf(agentId);
      const reason = settings ? problemOf(settings) : noSchedule;
      if (reason !== undefined) throw new WeftError("conflict", { params: { reason } });
      return database.write(async (tx) => {
        const row = await store.findSchedule(tx, agentId);
        if (!row) throw new WeftError("not-found", { params: { resource: "schedule", id: agentId } });
        const nextDate = row.enabled === 1 ? row.nextDate : nextDateOf(row, clock.now());
        const updatedDate = momentAfter(row.updatedDate, clock.now());
        const switched = await store.switchSchedule(tx, {
          agentId,
          enabled: enabled ? 1 : 0,
          nextDate: enabled ? nextDate : null,
          updatedDate,
        });
        announce(switched ?? row);
        return toRecord(switched ?? row);
      });
    },

    async logs({ page, limit, ...filter }) {
      await getForRun(filter.agentId);
      const rows = await store.listFirings(database.read, filter, { offset: (page - 1) * limit, limit });
      const data = rows.map(({ runId, executionId, status, dueDate, message, createdDate }) => ({
        id: runId,
        executionId,
        status,
        scheduledDate: dueDate,
        error: message === "" ? null : message,
        createdDate,
      }));
      return { data, total: await store.countFirings(database.read, filter) };
    },
  };
}

/**
 * The row for the flow's current schedule: updated from the one before, or new. `now`: milliseconds since the epoch.
 */
function toRow(before: ScheduleRow | NewSchedule, timing: Timing, now: number): ScheduleRow {
  const isKnown = "createdDate" in before;
  const row: ScheduleRow = {
    nextDate: null,
    createdDate: toMoment(now),
    ...before,
    ...timing,
    updatedDate: isKnown ? momentAfter(before.updatedDate, now) : toMoment(now),
  };
  // A save right when the schedule is due must not postpone that moment.
  const isSame = isKnown && isSameTiming(row, before);
  return isSame || row.enabled !== 1 ? row : { ...row, nextDate: nextDateOf(row, now) };
}

type NewSchedule = { agentId: string; enabled: number };
type Timing = ReturnType<typeof toColumns>;

function nextDateOf({ cron, timeZone, endDate }: ScheduleRow, now: number): string | null {
  const next = cron === "" ? undefined : nextMoment({ cron, timeZone, endDate }, now);
  return next === undefined ? null : toMoment(next);
}

function toColumns({ cron, timeZone, endDate = "", catchUp }: ScheduleSettings) {
  return { cron, timeZone, endDate, catchUp };
}

function isSameTiming(a: ScheduleRow, b: ScheduleRow): boolean {
  return a.cron === b.cron && a.timeZone === b.timeZone && a.endDate === b.endDate;
}

function toRecord({ agentId, enabled, nextDate, endDate, ...row }: ScheduleRow): ScheduleRecord {
  return {
    ...row,
    chatflowid: agentId,
    enabled: enabled === 1,
    endDate: endDate === "" ? null : endDate,
    nextRunDate: nextDate,
  };
}
