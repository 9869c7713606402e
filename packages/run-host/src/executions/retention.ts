import { type Database, findSetting, saveSetting, type Tables } from "@weft/database";
import type { Clock } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import { isJsonObject, type Json, type RunEvent, toMoment, type Usage, usageSchema } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Budgets } from "../budgets/index.ts";
import { eventColumns, fromEventRow, isLongerThan, removeLongParts, toEventRow } from "../journal/index.ts";
import { createPoller, type Poller } from "../poller.ts";
import type { ExecutionControl } from "./execution-control.ts";

export type RetentionDeps = {
  database: Database;
  budgets: Budgets;
  control: ExecutionControl;
  clock: Clock;
  logger: Logger;
  /** After their end; 0: runs are kept forever. */
  executionRetentionMs: number;
  /** After the end of the run; 0: as long as the run. */
  payloadRetentionMs: number;
};

const everyMs = 10 * 60_000;
/** Between two batches, so that other writers are not blocked for long. */
const pauseMs = 50;

/**
 * Deletes old runs and removes the large inputs and outputs of others, in small batches, and reclaims the space.
 * Running runs and those that wait for a person never count as old.
 */
export function createRetention(deps: RetentionDeps): Poller {
  const { database, budgets, control, clock, logger, executionRetentionMs, payloadRetentionMs } = deps;
  const payloads = createPayloadRetention(database, payloadRetentionMs);
  return createPoller({
    clock,
    everyMs,
    async round(signal) {
      const repeat = async (work: () => Promise<boolean>) => {
        while (!signal.aborted && (await work())) await clock.sleep(pauseMs, signal);
      };
      if (executionRetentionMs > 0) await repeat(() => control.removeEndedBefore(clock.now() - executionRetentionMs));
      if (payloadRetentionMs > 0) await repeat(() => payloads.removeSome(clock.now(), signal));
      await budgets.prune();
      await repeat(() => database.giveBackSpace());
    },
    onFailure: (cause) => logger.error("retention-failed", { cause }),
  });
}

const dayMs = 86_400_000;
/** Runs per batch: finding the long events among thousands takes SQLite 50 µs each, on the event loop. */
const batchSize = 25;
const isolation = { isolation: "read-committed" } as const;

/** Removes the large inputs and outputs from the journals of old runs. */
type PayloadRetention = {
  /** Processes some runs; each event is a write of its own. False: no such run is left. */
  removeSome(now: number, signal: AbortSignal): Promise<boolean>;
};

function createPayloadRetention(database: Database, retentionMs: number): PayloadRetention {
  const days = Math.max(1, Math.round(retentionMs / dayMs));
  return {
    async removeSome(now, signal) {
      const after = await readMark(database.read);
      const before = toMoment(now - retentionMs);
      const runs = await listEnded(database.read, { after, before, limit: batchSize });
      const last = runs.at(-1);
      if (last === undefined) return false;
      for (const address of await listLong(
        database.read,
        runs.map(({ id }) => id),
      )) {
        if (signal.aborted) return false;
        const event = await readEvent(database.read, address);
        const rest = event && removePayloads(event, days);
        if (rest !== undefined) await database.write((tx) => replaceEvent(tx, address, rest), isolation);
      }
      const runIds = runs.map(({ id }) => id);
      await database.write((tx) => removeLongParts(tx, runIds, { before, bytes: maxKept }), isolation);
      // A process that stops before this line repeats the same runs, which changes nothing more.
      await database.write((tx) => saveSetting(tx, marker, JSON.stringify(last)), isolation);
      return true;
    },
  };
}

/**
 * Runs that ended before a moment, ever or since the last whose payloads were removed, and the bytes of their long
 * events.
 */
export async function findOverdue(
  read: Kysely<Tables>,
  { before, since }: { before: string; since: "ever" | "mark" },
): Promise<{ runs: number; bytes: number }> {
  const after = since === "mark" ? await readMark(read) : undefined;
  return measureEnded(read, { after, before });
}

/** Values with JSON text up to this length stay. */
const maxKept = 64 * 1_024;

/**
 * The event without its large inputs and outputs, which a sentence replaces; `removedAfterDays` marks it. The run's
 * question, answer and state stay, and so does the usage of model calls. Undefined if nothing is large.
 */
function removePayloads(event: RunEvent, days: number): RunEvent | undefined {
  switch (event.type) {
    case "effect-started":
      return isLarge(event.input) ? { ...event, ...mark(days), input: note(event.input, days) } : undefined;
    case "effect-finished":
      return ofEffect(event, days);
    case "node-completed":
      return ofOutput(event, days);
    case "node-spawned":
      // The same number of items: each has steps of its own.
      return isLarge(event.items)
        ? { ...event, ...mark(days), items: event.items.map((item) => note(item, days)) }
        : undefined;
    default:
      return undefined;
  }
}

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

function ofEffect(event: EventOf<"effect-finished">, days: number): RunEvent | undefined {
  const { outcome } = event;
  if (!outcome.ok || !isLarge(outcome.value)) return undefined;
  const text = note(outcome.value, days);
  const usage = usageIn(outcome.value);
  return { ...event, ...mark(days), outcome: { ok: true, value: usage ? { text, usage } : text } };
}

function ofOutput(event: EventOf<"node-completed">, days: number): RunEvent | undefined {
  const { output, text, json, messages } = event;
  if (![output, text, json, messages].some(isLarge)) return undefined;
  return {
    ...event,
    ...mark(days),
    ...(isLarge(output) && { output: note(output, days) }),
    ...(text !== undefined && isLarge(text) && { text: note(text, days) }),
    ...(json !== undefined && isLarge(json) && { json: note(json, days) }),
    ...(isLarge(messages) && { messages: [] }),
  };
}

const mark = (days: number) => ({ removedAfterDays: days });

function isLarge(value: Json | undefined): boolean {
  return value !== undefined && sizeOf(value) > maxKept;
}

function sizeOf(value: Json): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

function note(value: Json, days: number): string {
  return `removed after ${days} ${days === 1 ? "day" : "days"} (${sizeOf(value)} characters)`;
}

function usageIn(value: Json): Usage | undefined {
  return isJsonObject(value) ? usageSchema.safeParse(value.usage).data : undefined;
}

/** A position in the order in which runs ended. */
const endOfRunSchema = z.object({ updatedDate: z.string(), id: z.string() });
type EndOfRun = z.infer<typeof endOfRunSchema>;

const ended = ["completed", "failed", "cancelled"];
const marker = "payloads-removed-until";
/** Shorter events hold no large value. */
const maxBytes = 64 * 1_024;

/** The run up to which large payloads are already removed; undefined if none are. */
async function readMark(read: Kysely<Tables>): Promise<EndOfRun | undefined> {
  const value = await findSetting(read, marker);
  return value === undefined ? undefined : endOfRunSchema.parse(JSON.parse(value));
}

/** Runs that ended after a mark and before a moment, in that order. */
async function listEnded(
  read: Kysely<Tables>,
  { after, before, limit }: { after: EndOfRun | undefined; before: string; limit: number },
): Promise<EndOfRun[]> {
  let runs = read
    .selectFrom("runs")
    .select(["updatedDate", "id"])
    .where("status", "!=", sql.lit("running"))
    .where("status", "in", ended)
    .where("updatedDate", "<", before);
  if (after !== undefined) {
    const { updatedDate, id } = after;
    // In the order of the index by date, where ids descend.
    runs = runs
      .where("updatedDate", ">=", updatedDate)
      .where((eb) => eb.or([eb("updatedDate", ">", updatedDate), eb("id", "<", id)]));
  }
  return runs.orderBy("updatedDate").orderBy("id", "desc").limit(limit).execute();
}

type EventAddress = { runId: string; seq: number };

/** The long events of these runs. */
export async function listLong(read: Kysely<Tables>, runIds: readonly string[]): Promise<EventAddress[]> {
  if (runIds.length === 0) return [];
  return read
    .selectFrom("runEvents")
    .select(["runId", "seq"])
    .where("runId", "in", runIds)
    .where(isLongerThan(maxBytes))
    .orderBy("runId")
    .orderBy("seq")
    .execute();
}

/** Number of runs that ended after a mark and before a moment, and the total bytes of their long events. */
async function measureEnded(
  read: Kysely<Tables>,
  { after, before }: { after: EndOfRun | undefined; before: string },
): Promise<{ runs: number; bytes: number }> {
  let runs = read
    .selectFrom("runs")
    .where("status", "!=", sql.lit("running"))
    .where("status", "in", ended)
    .where("updatedDate", "<", before);
  if (after !== undefined) runs = runs.where("updatedDate", ">", after.updatedDate);
  const { total } = await runs.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow();
  const bytes = sql<number>`octet_length(${sql.ref("event")})`;
  const long = await read
    .selectFrom("runEvents")
    .where("runId", "in", runs.select("id"))
    .where(isLongerThan(maxBytes))
    .select(({ fn }) => fn.sum(bytes).as("bytes"))
    .executeTakeFirstOrThrow();
  return { runs: Number(total), bytes: Number(long.bytes ?? 0) };
}

async function readEvent(read: Kysely<Tables>, { runId, seq }: EventAddress): Promise<RunEvent | undefined> {
  const row = await read
    .selectFrom("runEvents")
    .select(eventColumns)
    .where("runId", "=", runId)
    .where("seq", "=", seq)
    .executeTakeFirst();
  return row && fromEventRow(row);
}

/** Does nothing if the run was deleted meanwhile. */
async function replaceEvent(tx: Kysely<Tables>, { runId, seq }: EventAddress, event: RunEvent): Promise<void> {
  await tx
    .updateTable("runEvents")
    .set({ event: toEventRow(runId, event).event })
    .where("runId", "=", runId)
    .where("seq", "=", seq)
    .execute();
}
