import type { Tables } from "@weft/database";
import type { Budget, NoticeKind } from "@weft/schema";
import { noticeKinds, toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import { type Cause, causes, type Thresholds } from "./causes.ts";
import { enqueue } from "./channel.store.ts";
import type { NoticeRow } from "./notice.store.ts";
import * as store from "./notice.store.ts";

export type NoticeKeeperDeps = Pick<Context, "database" | "clock" | "ids"> & {
  thresholds: Thresholds;
  /** Undefined for an agent that is gone. */
  findAgent(agentId: string): Promise<{ name: string; budget: Budget } | undefined>;
};

/**
 * Finds what people should look at, in the database alone.
 * - N1 Of a kind and a thing one notice is open: a unique key holds it, across processes.
 * - N2 The commit that makes a notice queues it for every channel that takes it, so that each sends it once.
 * - N3 A notice is resolved by a look that began after it was last changed: an older look cannot know its cause.
 */
export type NoticeKeeper = {
  /** Looks, unless a process did in the last half minute. */
  round(): Promise<void>;
};

const everyMs = 30_000;
const keptMs = 30 * 24 * 3_600_000;
const isolation = { isolation: "read-committed" } as const;

export function createNoticeKeeper(deps: NoticeKeeperDeps): NoticeKeeper {
  const { database, clock, ids, thresholds, findAgent } = deps;

  async function look(kind: NoticeKind, now: number): Promise<void> {
    const known = new Map((await store.listOpen(database.read, kind)).map((notice) => [notice.thing, notice]));
    const budgetOf = async (agentId: string) => (await findAgent(agentId))?.budget;
    const open = new Set(known.keys());
    const found = await causes[kind]({ read: database.read, now, thresholds, open, budgetOf });
    const named = new Map<string, Named>();
    for (const cause of found) {
      const name = cause.name ?? (await findAgent(cause.subjectId))?.name;
      if (name !== undefined) named.set(cause.thing, { ...cause, name });
    }
    const fresh = [...named.values()].filter(({ thing }) => !known.has(thing));
    const changed = [...known.values()].flatMap((notice) => changeOf(notice, named.get(notice.thing)));
    const over = [...known.values()].filter(({ thing }) => !named.has(thing));
    if (fresh.length + changed.length + over.length === 0) return;
    const dates = { lookedDate: toMoment(now), nowDate: toMoment(clock.now()) };
    await database.write(async (tx) => {
      for (const cause of fresh) await openNotice(tx, kind, { cause, nowDate: dates.nowDate });
      for (const change of changed) await store.updateNotice(tx, { ...change, updatedDate: dates.nowDate });
      for (const { id } of over) await store.resolveNotice(tx, id, dates);
    }, isolation);
  }

  async function openNotice(tx: Kysely<Tables>, kind: NoticeKind, { cause, nowDate }: Opening): Promise<void> {
    const dates = { since: nowDate, resolvedDate: null, updatedDate: nowDate };
    const notice: NoticeRow = { ...cause, id: ids.uuid(), kind, period: "", ...dates };
    if (await store.insertNotice(tx, notice)) await enqueue(tx, notice);
  }

  return {
    async round() {
      const now = clock.now();
      const [pastDate, futureDate] = [toMoment(now - everyMs), toMoment(now + everyMs)];
      if (!(await store.takeLook(database, { nowDate: toMoment(now), pastDate, futureDate }))) return;
      for (const kind of noticeKinds) await look(kind, now);
      await prune(now);
    },
  };

  async function prune(now: number): Promise<void> {
    const before = toMoment(now - keptMs);
    const old = database.read.selectFrom("notices").select("id").where("resolvedDate", "<", before).limit(1);
    if ((await old.executeTakeFirst()) === undefined) return;
    await database.write((tx) => store.deleteResolvedBefore(tx, before), isolation);
  }
}

type Named = Cause & { name: string };
type Opening = { cause: Named; nowDate: string };

function changeOf(notice: NoticeRow, cause: Named | undefined) {
  if (cause === undefined) return [];
  const { name, count, total } = cause;
  const isSame = notice.name === name && notice.count === count && notice.total === total;
  return isSame ? [] : [{ id: notice.id, name, count, total }];
}
