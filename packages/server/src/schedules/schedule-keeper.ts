import type { Database, Tables } from "@weft/database";
import type { Clock, WallClock } from "@weft/engine/ports/clock";
import { clientOwner, everything } from "@weft/http/identity";
import { scheduleOf } from "@weft/nodes";
import { toMoment, WeftError } from "@weft/schema";
import { latestMoment, nextMoment } from "@weft/schema/timing";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import { renderQuestion } from "../predictions/index.ts";
import type { ScheduleFiringRow, ScheduleRow } from "./schedule.store.ts";
import * as store from "./schedule.store.ts";

type KeeperNeeds = Needs<"predictions" | "runHost" | "runnables" | "variables">;

/**
 * Begins the runs of schedules that are due.
 * - S1 A moment of a schedule is fired at most once: one row has its key, across processes. A clock that was set back
 *   comes to it again, and it fires again only when as much time has really passed as lies between it and the one before.
 * - S2 The run's id is fixed in the commit that moves the schedule on, so whoever begins it begins the same run.
 * - S3 A firing that was taken is begun, or says why not: one that a process left behind is taken up by another.
 */
export type ScheduleKeeper = {
  /** Fires what is due now. Resolves when the runs are durable, not when they end. */
  round(): Promise<void>;
};

/** An older moment was missed. Several passed meanwhile count as the latest of them. */
const graceMs = 5 * 60_000;
/** How long a missed moment that should be made up for is retried. */
const patienceMs = 24 * 3_600_000;
/** A firing that has not started for this long was abandoned. */
const beginningMs = 15_000;
/** How long firings are kept, for the log. */
const logMs = 90 * 24 * 3_600_000;
const roundSize = 100;
/** Largest difference between two readings of the clock that does not count as an adjustment. */
const tremorMs = 1_000;
/** Of an interval: rounds come a little early or late. */
const nearlyAll = 0.9;
const missed = "The server was not running at that time.";

export function createScheduleKeeper(context: Context, needs: KeeperNeeds): ScheduleKeeper {
  const { database, clock, logger } = context;
  const { due } = needs.runHost;
  const watch = createClockWatch(clock);

  async function fire(row: ScheduleRow, now: number): Promise<void> {
    const next = nextMoment(row, now);
    if (next !== undefined) due.announce(next);
    const firing = await take(context, row, { next, now, lostMs: watch.lostMs() });
    if (firing) await begin(context, needs, firing);
  }

  async function guarded(agentId: string, work: Promise<void>): Promise<void> {
    await work.catch((cause: unknown) => logger.warn("schedule-not-begun", { agentId, cause }));
  }

  return {
    async round() {
      const now = clock.now();
      if (watch.isSetBack()) await followClock(database, now);
      const rows = await store.listDue(database.read, toMoment(now), roundSize);
      await Promise.all(rows.map((row) => guarded(row.agentId, fire(row, now))));
      const left = await store.listPending(database.read, {
        before: toMoment(now - beginningMs),
        after: toMoment(now + beginningMs),
        limit: roundSize,
      });
      await Promise.all(left.map((firing) => guarded(firing.agentId, takeUp(context, needs, firing, now))));
    },
  };
}

const isolation = { isolation: "read-committed" } as const;

/** If the clock was set back, moves the schedules that wait for its old future back with it. */
async function followClock(database: Database, now: number): Promise<void> {
  for (const row of await store.listEnabled(database.read)) {
    const next = nextMoment(row, now);
    if (next === undefined || row.nextDate === null || Date.parse(row.nextDate) <= next) continue;
    await database.write((tx) => store.moveOn(tx, row, toMoment(next)), isolation);
  }
}

/** `next`: the moment after this one. `lostMs`: how far the clock is behind its earlier reading. */
type Taking = { next: number | undefined; now: number; lostMs: number };

/** Undefined if there is nothing to start: another process has it, or it was missed. */
async function take(
  { database, ids }: Context,
  row: ScheduleRow,
  { next, now, lostMs }: Taking,
): Promise<ScheduleFiringRow | undefined> {
  const dueMs = Math.max(latestMoment(row, now) ?? 0, Date.parse(row.nextDate ?? ""));
  const isMissed = now - dueMs > graceMs && row.catchUp !== "latest";
  const firing = {
    agentId: row.agentId,
    runId: ids.uuid(),
    state: isMissed ? "skipped" : "pending",
    message: isMissed ? missed : "",
    createdDate: toMoment(now),
  };
  return database.write(async (tx) => {
    if (!(await store.moveOn(tx, row, next === undefined ? null : toMoment(next)))) return undefined;
    await store.deleteFiringsBefore(tx, row.agentId, toMoment(now - logMs));
    const moment = await freeMoment(tx, row, { dueMs, now, lostMs });
    if (moment === undefined) return undefined;
    const fired = { ...firing, dueDate: toMoment(moment) };
    const isNew = await store.insertFiring(tx, fired);
    return isNew && !isMissed ? fired : undefined;
  }, isolation);
}

/** The moment under which a firing is recorded; undefined for one that has been fired, and is not due again. */
async function freeMoment(
  tx: Kysely<Tables>,
  row: ScheduleRow,
  { dueMs, now, lostMs }: { dueMs: number; now: number; lostMs: number },
): Promise<number | undefined> {
  const known = await store.findFiring(tx, row.agentId, toMoment(dueMs));
  if (!known) return dueMs;
  const passedMs = now - Date.parse(known.createdDate) + lostMs;
  const intervalMs = dueMs - (latestMoment(row, dueMs - 1) ?? 0);
  return passedMs >= intervalMs * nearlyAll ? Math.max(now, dueMs + 1) : undefined;
}

async function takeUp(context: Context, needs: KeeperNeeds, firing: ScheduleFiringRow, now: number): Promise<void> {
  const schedule = await store.findSchedule(context.database.read, firing.agentId);
  const isOver = now - Date.parse(firing.createdDate) > (schedule?.catchUp === "latest" ? patienceMs : graceMs);
  await (isOver ? settle(context.database, firing, "skipped", missed) : begin(context, needs, firing));
}

/** Retryable failures are left to a later round. */
async function begin({ database, clock }: Context, needs: KeeperNeeds, firing: ScheduleFiringRow): Promise<void> {
  try {
    await beginRun(clock, needs, firing);
  } catch (cause) {
    if (!(cause instanceof WeftError) || cause.retryable) throw cause;
    return settle(database, firing, "refused", cause.message);
  }
  await settle(database, firing, "begun");
}

async function beginRun(
  clock: WallClock,
  { predictions, runnables, variables }: KeeperNeeds,
  { agentId, runId }: ScheduleFiringRow,
): Promise<void> {
  const agent = await runnables.getForRun(agentId);
  const settings = scheduleOf(runnables.compile(agent.versionId, agent.flowData));
  if (!settings)
    throw new WeftError("flow-invalid", { params: { reason: "its start node no longer has a schedule." } });
  const { form } = settings;
  const facts = { vars: await variables.all(), clock };
  const { question, warnings } = renderQuestion(settings.question, facts);
  await predictions.admit({
    agentId,
    readAgent: async () => agent,
    request: { chatId: runId, ...(form === undefined ? { question } : { form }) },
    caller: {
      owner: clientOwner(`schedule:${agentId}`),
      adopts: [],
      reach: everything,
      apiKeys: async () => [],
      isAuthor: true,
    },
    chatType: "EXTERNAL",
    runId,
    trigger: { warnings },
  });
}

async function settle(database: Database, firing: ScheduleFiringRow, state: string, message = ""): Promise<void> {
  await database.write((tx) => store.settleFiring(tx, { ...firing, state, message }), isolation);
}

/** Detects with the monotonic clock when the machine's clock is set back. */
function createClockWatch(clock: Clock) {
  const lead = () => clock.now() - clock.elapsed();
  let highest = lead();
  let last = Number.POSITIVE_INFINITY;
  return {
    /** Whether it was since the last look. The first look cannot know, so it returns true. */
    isSetBack(): boolean {
      const before = last;
      last = lead();
      highest = Math.max(highest, last);
      return last < before - tremorMs;
    },
    /** How far it is behind its earlier reading. */
    lostMs: () => highest - last,
  };
}
