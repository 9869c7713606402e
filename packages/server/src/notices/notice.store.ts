import type { Tables } from "@weft/database";
import type { Reach } from "@weft/http/identity";
import type { NoticeKind } from "@weft/schema";
import { type Kysely, sql } from "kysely";

/** Something that people should look at. */
export type NoticeRow = {
  id: string;
  kind: NoticeKind;
  /** With the kind, what it is about: of two processes that find it, one makes the notice. */
  thing: string;
  /** Empty while it is open, then its id: a thing that fails again has a new notice. */
  period: string;
  subjectId: string;
  /** Null: it is about no agent. */
  agentId: string | null;
  name: string;
  count: number;
  total: number | null;
  detail: string;
  since: string;
  resolvedDate: string | null;
  /** When what it says last changed. */
  updatedDate: string;
};

/** Who has seen it, as owners are named. */
export type NoticeSeenRow = { noticeId: string; owner: string };

declare module "@weft/database" {
  interface Tables {
    notices: NoticeRow;
    noticesSeen: NoticeSeenRow;
  }
}

type Handle = Kysely<Tables>;

export type NoticeFilter = { kinds: readonly NoticeKind[]; agents: Reach["agents"]; owner: string };
export type ListedNotice = NoticeRow & { seenBy: string | null };

export function listOpen(db: Handle, kind: NoticeKind): Promise<NoticeRow[]> {
  return db.selectFrom("notices").selectAll().where("kind", "=", kind).where("resolvedDate", "is", null).execute();
}

/** False if one is open for the same kind and thing. */
export async function insertNotice(tx: Handle, row: NoticeRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("notices")
    .values(row)
    .onConflict((conflict) => conflict.columns(["kind", "thing", "period"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateNotice(
  tx: Handle,
  { id, ...changes }: Pick<NoticeRow, "id" | "name" | "count" | "total" | "updatedDate">,
): Promise<void> {
  await tx.updateTable("notices").set(changes).where("id", "=", id).where("resolvedDate", "is", null).execute();
}

/** Unless it was made after the look at its cause began. */
export async function resolveNotice(tx: Handle, id: string, { lookedDate, nowDate }: Resolving): Promise<void> {
  await tx
    .updateTable("notices")
    .set((eb) => ({ period: eb.ref("id"), resolvedDate: nowDate, updatedDate: nowDate }))
    .where("id", "=", id)
    .where("resolvedDate", "is", null)
    .where("updatedDate", "<=", lookedDate)
    .execute();
}

type Resolving = { lookedDate: string; nowDate: string };

export async function deleteNoticesOfAgent(tx: Handle, agentId: string): Promise<void> {
  await deleteThose(tx, tx.selectFrom("notices").select("id").where("agentId", "=", agentId));
}

export async function deleteResolvedBefore(tx: Handle, resolvedDate: string): Promise<void> {
  await deleteThose(tx, tx.selectFrom("notices").select("id").where("resolvedDate", "<", resolvedDate));
}

async function deleteThose(tx: Handle, ids: ReturnType<typeof selectIds>): Promise<void> {
  await tx.deleteFrom("noticesSeen").where("noticeId", "in", ids).execute();
  await tx.deleteFrom("noticeQueue").where("noticeId", "in", ids).execute();
  await tx.deleteFrom("notices").where("id", "in", ids).execute();
}

function selectIds(db: Handle) {
  return db.selectFrom("notices").select("id");
}

/** Open ones first, then those that came last. */
export function listNotices(
  db: Handle,
  filter: NoticeFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedNotice[]> {
  return within(db, filter)
    .selectAll("notices")
    .select("noticesSeen.owner as seenBy")
    .orderBy(sql`case when "resolvedDate" is null then 0 else 1 end`)
    .orderBy("since", "desc")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function countNotices(db: Handle, filter: NoticeFilter): Promise<{ total: number; unseen: number }> {
  const counted = await within(db, filter)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .select(
      sql<number>`count(case when "resolvedDate" is null and "noticesSeen"."owner" is null then 1 end)`.as("unseen"),
    )
    .executeTakeFirstOrThrow();
  return { total: Number(counted.total), unseen: Number(counted.unseen) };
}

/** Marks those of them that the caller may see. */
export async function markSeen(tx: Handle, filter: NoticeFilter, ids: readonly string[]): Promise<void> {
  const found = await within(tx, filter).select("notices.id").where("notices.id", "in", ids).execute();
  if (found.length === 0) return;
  await tx
    .insertInto("noticesSeen")
    .values(found.map(({ id }) => ({ noticeId: id, owner: filter.owner })))
    .onConflict((conflict) => conflict.columns(["noticeId", "owner"]).doNothing())
    .execute();
}

function within(db: Handle, { kinds, agents, owner }: NoticeFilter) {
  const found = db
    .selectFrom("notices")
    .leftJoin("noticesSeen", (join) =>
      join.onRef("noticesSeen.noticeId", "=", "notices.id").on("noticesSeen.owner", "=", owner),
    )
    .where("kind", "in", kinds.length === 0 ? ["" as NoticeKind] : kinds);
  return agents === "all" ? found : found.where("agentId", "in", ["", ...agents]);
}

const lookName = "notices-looked";

/** Whether this process looks now: one of all does, at most once in `everyMs`. */
export async function takeLook(
  database: { read: Handle; write<T>(fn: (tx: Handle) => Promise<T>, options: typeof isolation): Promise<T> },
  dates: { nowDate: string; pastDate: string; futureDate: string },
): Promise<boolean> {
  const { nowDate, pastDate, futureDate } = dates;
  const last = await database.read
    .selectFrom("settings")
    .select("value")
    .where("name", "=", lookName)
    .executeTakeFirst();
  // One in the future was noted before the clock was set back.
  if (last !== undefined && last.value > pastDate && last.value <= futureDate) return false;
  const taken = await database.write(
    (tx) =>
      tx
        .insertInto("settings")
        .values({ name: lookName, value: nowDate })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ value: nowDate })
            .where("settings.value", "=", last?.value ?? ""),
        )
        .returning("name")
        .executeTakeFirst(),
    isolation,
  );
  return taken !== undefined;
}

const isolation = { isolation: "read-committed" } as const;
