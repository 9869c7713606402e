import { createHash } from "node:crypto";
import type { Database, Tables } from "@weft/database";
import { type AuditActorKind, type AuditEntry, type AuditFilter, type AuditOutcome, toMoment } from "@weft/schema";
import { type Kysely, sql } from "kysely";

type AuditEntryRow = {
  seq: number;
  date: string;
  actorKind: AuditActorKind;
  actorId: string;
  actorName: string;
  action: string;
  outcome: AuditOutcome;
  thingKind: string;
  thingId: string;
  /** JSON list. */
  fields: string;
  omitted: number;
  address: string;
  requestId: string;
  hash: string;
};

/** The hash before the first entry that is kept, and that of the last one. */
type AuditChainRow = { name: "anchor" | "head"; seq: number; hash: string; date: string };

declare module "@weft/database" {
  interface Tables {
    auditEntries: AuditEntryRow;
    auditChain: AuditChainRow;
  }
}

type Handle = Kysely<Tables>;

type Unhashed = Omit<AuditEntry, "hash">;

/** An entry before it has its place in the chain. */
export type NewAuditEntry = Omit<AuditEntry, "seq" | "date" | "hash">;

/**
 * Keeps other writers of the log away until the transaction ends. The first statement of a transaction: PostgreSQL then
 * takes the snapshot of a serializable one after the wait, so that it need not be repeated. SQLite has one writer.
 */
export async function lockAudit(tx: Handle, dialect: Database["dialect"]): Promise<void> {
  if (dialect === "postgres") await sql`lock table "auditChain" in exclusive mode`.execute(tx);
}

/** Appends an entry to the chain, in a transaction that has locked the log. Entries are in order of their dates. */
export async function appendAudit(tx: Handle, entry: NewAuditEntry, nowMs: number): Promise<void> {
  const head = await endOf(tx, "head");
  // The clocks of two processes may differ.
  const latestMs = Math.max(nowMs, Date.parse(head.date) || 0);
  const next = { seq: head.seq + 1, date: toMoment(latestMs), ...cleaned(entry) };
  const hash = hashOf(head.hash, next);
  await tx
    .insertInto("auditEntries")
    .values(toRow({ ...next, hash }))
    .execute();
  await moveEnd(tx, "head", { ...next, hash });
}

/** The number of the last entry; 0: there is none. */
export async function lastAuditSeq(db: Handle): Promise<number> {
  return (await endOf(db, "head")).seq;
}

type ChainEnd = Omit<AuditChainRow, "name">;

const beginning: ChainEnd = { seq: 0, hash: "0".repeat(64), date: "" };

async function endOf(db: Handle, name: "anchor" | "head"): Promise<ChainEnd> {
  const row = await db.selectFrom("auditChain").selectAll().where("name", "=", name).executeTakeFirst();
  return row ?? beginning;
}

async function moveEnd(tx: Handle, name: "anchor" | "head", { seq, hash, date }: ChainEnd): Promise<void> {
  const end = { seq, hash, date };
  await tx
    .insertInto("auditChain")
    .values({ name, ...end })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(end))
    .execute();
}

/** Source: docs/audit.md, which tells others how to verify it. */
function hashOf(previous: string, entry: Unhashed): string {
  return createHash("sha256").update(previous).update(canonical(entry)).digest("hex");
}

/** JSON without spaces, its fields in the order of `auditEntrySchema`. */
function canonical({ seq, date, actor, action, outcome, thing, fields, ...rest }: Unhashed): string {
  const { kind, id, name } = actor;
  const { omitted, address, requestId } = rest;
  const what = { action, outcome, thing: { kind: thing.kind, id: thing.id }, fields };
  return JSON.stringify({ seq, date, actor: { kind, id, name }, ...what, omitted, address, requestId });
}

/** What both databases return as it was written: their texts differ in control characters and halves of characters. */
function cleaned(entry: NewAuditEntry): NewAuditEntry {
  const clean = (text: string) => text.toWellFormed().replace(/\p{Cc}/gu, "\u{fffd}");
  const { actor, thing, fields } = entry;
  return {
    ...entry,
    actor: { ...actor, name: clean(actor.name) },
    thing: { ...thing, id: clean(thing.id) },
    fields: fields.map(clean),
    address: clean(entry.address),
  };
}

function toRow({ actor, thing, fields, ...entry }: AuditEntry): AuditEntryRow {
  return {
    ...entry,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    thingKind: thing.kind,
    thingId: thing.id,
    fields: JSON.stringify(fields),
  };
}

function toEntry(row: AuditEntryRow): AuditEntry {
  const { seq, date, actorKind, actorId, actorName, action, outcome, thingKind, thingId } = row;
  const { fields, omitted, address, requestId, hash } = row;
  return {
    seq,
    date,
    actor: { kind: actorKind, id: actorId, name: actorName },
    action,
    outcome,
    thing: { kind: thingKind, id: thingId },
    fields: JSON.parse(fields),
    omitted,
    address,
    requestId,
    hash,
  };
}

/** `before`: the newest entries that match, of those before it; `after`: the oldest ones after it. */
export type AuditPart = { limit: number } & ({ before?: number | undefined } | { after: number });

export async function listAudit(
  db: Handle,
  { actor, action, thing, from, to }: AuditFilter,
  part: AuditPart,
): Promise<AuditEntry[]> {
  const isUp = "after" in part;
  let query = db
    .selectFrom("auditEntries")
    .selectAll()
    .orderBy("seq", isUp ? "asc" : "desc")
    .limit(part.limit);
  if (actor !== undefined) query = query.where(isId.test(actor) ? "actorId" : "actorName", "=", actor);
  if (action !== undefined) query = query.where("action", "=", action);
  if (thing !== undefined) query = query.where("thingId", "=", thing);
  // Dates grow with the numbers, which give the order.
  if (from !== undefined) query = query.where("seq", ">=", firstSince(db, from));
  if (to !== undefined) query = query.where("seq", "<=", lastUntil(db, to));
  if (isUp) query = query.where("seq", ">", part.after);
  else if (part.before !== undefined) query = query.where("seq", "<", part.before);
  return (await query.execute()).map(toEntry);
}

const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function firstSince(db: Handle, moment: string) {
  const since = db.selectFrom("auditEntries").select("seq").where("date", ">=", moment);
  return since.orderBy("date").orderBy("seq").limit(1);
}

function lastUntil(db: Handle, moment: string) {
  const until = db.selectFrom("auditEntries").select("seq").where("date", "<=", moment);
  return until.orderBy("date", "desc").orderBy("seq", "desc").limit(1);
}

/** Entries that one transaction deletes. */
const mostAtOnce = 500;

/** Deletes the oldest of the entries before a moment, in a transaction that has locked the log. Resolves with the count. */
export async function removeAuditBefore(tx: Handle, moment: string): Promise<number> {
  const old = await tx
    .selectFrom("auditEntries")
    .select(["seq", "hash", "date"])
    .where("date", "<", moment)
    .orderBy("seq")
    .limit(mostAtOnce)
    .execute();
  const last = old.at(-1);
  if (last === undefined) return 0;
  await tx.deleteFrom("auditEntries").where("seq", "<=", last.seq).execute();
  await moveEnd(tx, "anchor", last);
  return old.length;
}

const pageSize = 1_000;

/**
 * The first number of the chain that is not what was written there; undefined if all of it is. Starts over if the oldest
 * entries are deleted meanwhile, as they are when their time is over.
 */
export async function findBrokenAudit(db: Handle): Promise<number | undefined> {
  for (;;) {
    const anchor = await endOf(db, "anchor");
    const broken = await findBrokenAfter(db, anchor);
    if (broken === undefined || (await endOf(db, "anchor")).seq === anchor.seq) return broken;
  }
}

async function findBrokenAfter(db: Handle, anchor: ChainEnd): Promise<number | undefined> {
  const head = await endOf(db, "head");
  let { seq, hash } = anchor;
  for (;;) {
    const page = db.selectFrom("auditEntries").selectAll().where("seq", ">", seq).orderBy("seq").limit(pageSize);
    const rows = await page.execute();
    for (const row of rows) {
      if (!continues({ seq, hash }, row, head)) return seq + 1;
      ({ seq, hash } = row);
    }
    if (rows.length < pageSize) return seq < head.seq ? seq + 1 : undefined;
  }
}

type Link = { seq: number; hash: string };

function continues(previous: Link, row: AuditEntryRow, head: Link): boolean {
  if (row.seq !== previous.seq + 1 || row.hash !== hashOfRow(previous.hash, row)) return false;
  return row.seq !== head.seq || row.hash === head.hash;
}

/** Undefined for a row that no server wrote. */
function hashOfRow(previous: string, row: AuditEntryRow): string | undefined {
  try {
    return hashOf(previous, toEntry(row));
  } catch {
    return undefined;
  }
}
