import type { Tables } from "@weft/database";
import { defineRows } from "@weft/http/rows";
import { type NoticeChannelKind, type NoticeKind, parseJson } from "@weft/schema";
import type { Kysely } from "kysely";
import type { NoticeRow } from "./notice.store.ts";

/** Where notices are sent, and the one message that is on its way there. */
export type NoticeChannelRow = {
  id: string;
  name: string;
  kind: NoticeChannelKind;
  /** JSON of its address and secret, sealed as credentials are. */
  destination: string;
  /** What people see of the address. */
  shown: string;
  /** JSON list of `NoticeKind`. */
  kinds: string;
  /** JSON: `"all"`, or ids. */
  agents: string;
  /** JSON of `QuietHours`. */
  quietHours: string | null;
  isEnabled: number;
  /** JSON of the message until it is sent or given up. */
  message: string | null;
  attempts: number;
  /** Of the message: the earliest next attempt. */
  nextDate: string | null;
  error: string | null;
  /** When attempts for a message ended without success; null once something was sent. */
  givenUpDate: string | null;
  sentDate: string | null;
  createdDate: string;
  updatedDate: string;
};

/** Notices that a channel has still to make a message of. */
export type NoticeQueueRow = { channelId: string; noticeId: string };

declare module "@weft/database" {
  interface Tables {
    noticeChannels: NoticeChannelRow;
    noticeQueue: NoticeQueueRow;
  }
}

type Handle = Kysely<Tables>;

export const rows = defineRows<NoticeChannelRow>("noticeChannels", "notice channel");

/** Most recently updated first. */
export function allChannels(db: Handle) {
  return db.selectFrom("noticeChannels").selectAll().orderBy("updatedDate", "desc").orderBy("id");
}

export async function countChannels(db: Handle): Promise<number> {
  const counting = db.selectFrom("noticeChannels").select((eb) => eb.fn.countAll<number>().as("total"));
  return Number((await counting.executeTakeFirstOrThrow()).total);
}

/** Of each channel, how many notices are queued. */
export async function countQueued(db: Handle): Promise<Map<string, number>> {
  const counted = await db
    .selectFrom("noticeQueue")
    .select(["channelId", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("channelId")
    .execute();
  return new Map(counted.map(({ channelId, count }) => [channelId, Number(count)]));
}

/** For every channel that takes it. A channel is not told that it fails itself. */
export async function enqueue(tx: Handle, { id, kind, agentId, subjectId }: NoticeRow): Promise<void> {
  const channels = await tx.selectFrom("noticeChannels").selectAll().where("isEnabled", "=", 1).execute();
  const taking = channels.filter((channel) => {
    const agents = readAgents(channel);
    const isAbout = agents === "all" || (agentId !== null && agents.includes(agentId));
    return isAbout && readKinds(channel).includes(kind) && channel.id !== subjectId;
  });
  if (taking.length === 0) return;
  await tx
    .insertInto("noticeQueue")
    .values(taking.map((channel) => ({ channelId: channel.id, noticeId: id })))
    .onConflict((conflict) => conflict.columns(["channelId", "noticeId"]).doNothing())
    .execute();
}

export function readKinds({ kinds }: Pick<NoticeChannelRow, "kinds">): NoticeKind[] {
  return JSON.parse(kinds) as NoticeKind[];
}

export function readAgents({ agents }: Pick<NoticeChannelRow, "agents">): "all" | string[] {
  const read = parseJson(agents);
  return Array.isArray(read) ? read.map(String) : "all";
}

export async function deleteQueue(tx: Handle, channelId: string): Promise<void> {
  await tx.deleteFrom("noticeQueue").where("channelId", "=", channelId).execute();
}

/** The notices that wait for a channel, oldest first. */
export function listQueued(db: Handle, channelId: string, limit: number): Promise<NoticeRow[]> {
  return db
    .selectFrom("notices")
    .selectAll("notices")
    .where("id", "in", db.selectFrom("noticeQueue").select("noticeId").where("channelId", "=", channelId))
    .orderBy("since")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Channels that have a message, or something to make one of. */
export function listBusy(db: Handle): Promise<NoticeChannelRow[]> {
  return db
    .selectFrom("noticeChannels")
    .selectAll()
    .where("isEnabled", "=", 1)
    .where((eb) =>
      eb.or([
        eb("message", "is not", null),
        eb.exists(
          eb.selectFrom("noticeQueue").select("noticeId").whereRef("noticeQueue.channelId", "=", "noticeChannels.id"),
        ),
      ]),
    )
    .orderBy("id")
    .execute();
}

/** Makes the message of what is queued. False if another process did. */
export async function beginMessage(
  tx: Handle,
  { id, message, nextDate }: { id: string; message: string; nextDate: string },
  noticeIds: readonly string[],
): Promise<boolean> {
  const begun = await tx
    .updateTable("noticeChannels")
    .set({ message, attempts: 0, nextDate })
    .where("id", "=", id)
    .where("isEnabled", "=", 1)
    .where("message", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (begun === undefined) return false;
  await tx.deleteFrom("noticeQueue").where("channelId", "=", id).where("noticeId", "in", noticeIds).execute();
  return true;
}

/** Takes one attempt until `nextDate`. False if another process has it, or the channel was changed. */
export async function takeAttempt(tx: Handle, read: NoticeChannelRow, nextDate: string): Promise<boolean> {
  const taken = await tx
    .updateTable("noticeChannels")
    .set({ attempts: read.attempts + 1, nextDate })
    .where("id", "=", read.id)
    .where("isEnabled", "=", 1)
    .where("message", "=", read.message)
    .where("attempts", "=", read.attempts)
    .where("nextDate", "=", read.nextDate)
    .returning("id")
    .executeTakeFirst();
  return taken !== undefined;
}

export type Outcome = Pick<NoticeChannelRow, "nextDate" | "error"> &
  Partial<Pick<NoticeChannelRow, "message" | "givenUpDate" | "sentDate">>;

/** Of the attempt that ended at `leaseDate`, unless someone changed the channel meanwhile. */
export async function noteOutcome(
  tx: Handle,
  { id, leaseDate }: { id: string; leaseDate: string },
  outcome: Outcome,
): Promise<void> {
  await tx.updateTable("noticeChannels").set(outcome).where("id", "=", id).where("nextDate", "=", leaseDate).execute();
}
