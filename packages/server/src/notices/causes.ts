import { setImmediate } from "node:timers/promises";
import type { Tables } from "@weft/database";
import { noAgentId } from "@weft/run-host";
import { type Budget, type DayCeilings, dayAmounts, type NoticeKind, toMoment } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import type { NoticeRow } from "./notice.store.ts";

/** Why there is a notice. Its name is added once it is known. */
export type Cause = Pick<NoticeRow, "thing" | "subjectId" | "agentId" | "count" | "total" | "detail"> & {
  name?: string;
};

export type Thresholds = {
  /** Failed runs of an agent in an hour, at least. */
  failedRuns: number;
  /** Their share of the agent's runs in that hour, in percent, at least. */
  failedPercent: number;
  /** How long a run may wait for a person. */
  waitingMs: number;
};

export type Look = {
  read: Kysely<Tables>;
  now: number;
  thresholds: Thresholds;
  /** The things of open notices of that kind. */
  open: ReadonlySet<string>;
  /** Undefined for an agent that is gone. */
  budgetOf(agentId: string): Promise<Budget | undefined>;
};

/** What is noticed. Each reads a limited number of rows, by an index. */
export const causes: Readonly<Record<NoticeKind, (look: Look) => Promise<Cause[]>>> = {
  "failed-runs": findFailedRuns,
  "budget-near": (look) => findBudgets(look, (percent) => percent >= 80 && percent < 100),
  "budget-spent": (look) => findBudgets(look, (percent) => percent >= 100),
  "callbacks-failing": findCallbacks,
  "person-awaited": findWaiting,
  "hand-over": findHandOvers,
  "store-failing": findStores,
  "schedule-failing": findSchedules,
  "channel-failing": findChannels,
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Rows that one look reads of one kind, the newest first. */
const mostRows = 20_000;
const mostCauses = 200;

function ofAgent(agentId: string, rest: Partial<Cause> & { count: number }): Cause {
  return { thing: agentId, subjectId: agentId, agentId, total: null, detail: "", ...rest };
}

/** Failures that one look reads, the newest first, to learn which agents fail. */
const mostFailures = 5_000;
/** Of the runs of an agent, the newest that the share is taken of. */
const sampledRuns = 2_000;

/** Leaves out test runs in the builder, whose author sees the failure anyway. */
async function findFailedRuns({ read, now, thresholds, open }: Look): Promise<Cause[]> {
  const since = toMoment(now - hourMs);
  const newest = read
    .selectFrom("runs")
    .select("agentId")
    .where("status", "=", sql.lit("failed"))
    .where("updatedDate", ">=", since)
    .where("chatType", "<>", sql.lit("INTERNAL"))
    .where("agentId", "<>", sql.lit(noAgentId))
    .orderBy("updatedDate", "desc")
    .limit(mostFailures);
  const failing = await read
    .selectFrom(newest.as("failed"))
    .select(["agentId", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("agentId")
    .orderBy("count", "desc")
    .orderBy("agentId")
    .limit(mostCauses)
    .execute();
  const found: Cause[] = [];
  for (const { agentId } of failing) {
    // Reads of SQLite do not wait: others have their turn between them.
    await setImmediate();
    const { failed, total } = await countEnded(read, agentId, since);
    // An open notice stays until both fall to half, so that a rate at the limit does not make one after the other.
    const factor = open.has(agentId) ? 0.5 : 1;
    const isRate = failed >= total * (thresholds.failedPercent / 100) * factor;
    if (isRate && failed >= thresholds.failedRuns * factor) found.push(ofAgent(agentId, { count: failed, total }));
  }
  return found;
}

async function countEnded(read: Kysely<Tables>, agentId: string, since: string) {
  const ended = read
    .selectFrom("runs")
    .select("status")
    .where("agentId", "=", agentId)
    .where("status", "<>", sql.lit("running"))
    .where("updatedDate", ">=", since)
    .where("chatType", "<>", sql.lit("INTERNAL"))
    .orderBy("updatedDate", "desc")
    .limit(sampledRuns);
  const counted = await read
    .selectFrom(ended.as("ended"))
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .select(sql<number>`count(case when "status" = 'failed' then 1 end)`.as("failed"))
    .executeTakeFirstOrThrow();
  return { total: Number(counted.total), failed: Number(counted.failed) };
}

const scopes = ["agent", "visitors"] as const;
type Scope = (typeof scopes)[number];
const columns = { runs: "runs", tokens: "tokens", dollars: "costNanos", bytes: "bytes" } as const;
const nanosADollar = 1_000_000_000;

async function findBudgets(look: Look, isCause: (percent: number) => boolean): Promise<Cause[]> {
  const day = new Date(look.now).toISOString().slice(0, 10);
  const found: Cause[] = [];
  for (const scope of scopes) {
    for (const row of await listSpent(look.read, scope, day)) {
      const agentId = row.name.slice(scope.length + 1);
      const ceilings = (await look.budgetOf(agentId))?.day[scope] ?? {};
      for (const [amount, percent] of usedPercents(row, ceilings)) {
        const detail = `${scope}/${amount}`;
        const thing = `${agentId} ${detail} ${day}`;
        if (isCause(percent)) found.push(ofAgent(agentId, { count: percent, detail, thing }));
      }
    }
  }
  return found.slice(0, mostCauses);
}

function listSpent(read: Kysely<Tables>, scope: Scope, day: string) {
  return read
    .selectFrom("budgets")
    .select(["name", "runs", "tokens", "costNanos", "bytes"])
    .where("name", ">=", `${scope}/`)
    .where("name", "<", `${scope}0`)
    .where("day", "=", day)
    .orderBy("name")
    .limit(mostRows)
    .execute();
}

type Spent = Awaited<ReturnType<typeof listSpent>>[number];

function usedPercents(row: Spent, ceilings: DayCeilings): [string, number][] {
  return dayAmounts.flatMap((amount): [string, number][] => {
    const limit = ceilings[amount] ?? 0;
    const used = Number(row[columns[amount]]) / (amount === "dollars" ? nanosADollar : 1);
    return limit <= 0 ? [] : [[amount, Math.floor((used / limit) * 100)]];
  });
}

/** The third attempt comes after two and a half minutes. */
const attemptsUntilNotice = 3;

async function findCallbacks({ read, now }: Look): Promise<Cause[]> {
  const failing = (state: "PENDING" | "FAILED") =>
    read.selectFrom("callbackDeliveries").select("agentId").where("state", "=", state).where("error", "is not", null);
  const retried = failing("PENDING").where("attempts", ">=", attemptsUntilNotice).limit(mostRows);
  const givenUp = failing("FAILED")
    .where("nextDate", ">=", toMoment(now - dayMs))
    .limit(mostRows);
  const counts = new Map<string, number>();
  for (const rows of [retried, givenUp]) {
    const counted = await read
      .selectFrom(rows.as("failing"))
      .select(["agentId", ({ fn }) => fn.countAll<number>().as("count")])
      .groupBy("agentId")
      .orderBy("agentId")
      .limit(mostCauses)
      .execute();
    for (const { agentId, count } of counted) counts.set(agentId, (counts.get(agentId) ?? 0) + Number(count));
  }
  return [...counts].slice(0, mostCauses).map(([agentId, count]) => ofAgent(agentId, { count }));
}

/** Its question stands in the summary of a run that waits for a person: quotation marks within texts are escaped. */
const askingPattern = '%,"action":{%';

async function findWaiting({ read, now, thresholds }: Look): Promise<Cause[]> {
  const waiting = read
    .selectFrom("runs")
    .select("agentId")
    .where("status", "=", sql.lit("suspended"))
    .where("status", "<>", sql.lit("running"))
    .where("status", "<>", sql.lit("completed"))
    .where("updatedDate", "<=", toMoment(now - thresholds.waitingMs))
    .where("summary", "like", sql.lit(askingPattern))
    .limit(mostRows);
  const counted = await read
    .selectFrom(waiting.as("waiting"))
    .select(["agentId", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("agentId")
    .orderBy("agentId")
    .limit(mostCauses)
    .execute();
  return counted.map(({ agentId, count }) => ofAgent(agentId, { count: Number(count) }));
}

/** As soon as an agent asks: someone waits in a chat. */
async function findHandOvers({ read }: Look): Promise<Cause[]> {
  const asking = read.selectFrom("conversations").select("agentId").where("askedDate", "is not", null).limit(mostRows);
  const counted = await read
    .selectFrom(asking.as("asking"))
    .select(["agentId", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("agentId")
    .orderBy("agentId")
    .limit(mostCauses)
    .execute();
  return counted.map(({ agentId, count }) => ofAgent(agentId, { count: Number(count) }));
}

async function findStores({ read }: Look): Promise<Cause[]> {
  const failing = await read
    .selectFrom("documentLoaders")
    .innerJoin("documentStores", "documentStores.id", "documentLoaders.storeId")
    .select(["storeId", "documentStores.name as name", ({ fn }) => fn.countAll<number>().as("count")])
    .where("error", "<>", sql.lit(""))
    .groupBy(["storeId", "documentStores.name"])
    .orderBy("storeId")
    .limit(mostCauses)
    .execute();
  return failing.map(({ storeId, name, count }) => ({
    ...{ thing: storeId, subjectId: storeId, agentId: null, name },
    ...{ count: Number(count), total: null, detail: "" },
  }));
}

/** Firings of a schedule that are looked at. */
const mostFirings = 100;

async function findSchedules({ read }: Look): Promise<Cause[]> {
  const lastOnes = read
    .selectFrom("schedules")
    .select("schedules.agentId")
    .select(({ selectFrom }) =>
      selectFrom("scheduleFirings")
        .leftJoin("runs", "runs.id", "scheduleFirings.runId")
        .whereRef("scheduleFirings.agentId", "=", "schedules.agentId")
        .where(isSettled)
        .select(isFailure.as("isFailure"))
        .orderBy("dueDate", "desc")
        .limit(1)
        .as("isFailing"),
    )
    .where("enabled", "=", 1)
    .where("cron", "<>", "");
  const failing = await read
    .selectFrom(lastOnes.as("last"))
    .select("agentId")
    .where("isFailing", "=", 1)
    .orderBy("agentId")
    .limit(mostCauses)
    .execute();
  const found: Cause[] = [];
  for (const { agentId } of failing) {
    await setImmediate();
    const firings = await read
      .selectFrom("scheduleFirings")
      .leftJoin("runs", "runs.id", "scheduleFirings.runId")
      .select(isFailure.as("isFailure"))
      .where("scheduleFirings.agentId", "=", agentId)
      .where(isSettled)
      .orderBy("dueDate", "desc")
      .limit(mostFirings)
      .execute();
    const firstGood = firings.findIndex(({ isFailure }) => Number(isFailure) === 0);
    found.push(ofAgent(agentId, { count: firstGood < 0 ? firings.length : firstGood }));
  }
  return found;
}

const isSettled = sql<boolean>`("state" in ('skipped', 'refused') or "runs"."status" in ('completed', 'failed'))`;
const isFailure = sql<number>`case when "state" in ('skipped', 'refused') or "runs"."status" = 'failed' then 1 else 0 end`;

async function findChannels({ read }: Look): Promise<Cause[]> {
  const failing = await read
    .selectFrom("noticeChannels")
    .select(["id", "name"])
    .where("givenUpDate", "is not", null)
    .where("isEnabled", "=", 1)
    .orderBy("id")
    .execute();
  return failing.map(({ id, name }) => ({
    ...{ thing: id, subjectId: id, agentId: null, name, count: 1, total: null, detail: "" },
  }));
}
