import { type Database, idRanges, inIdRange, type Tables } from "@weft/database";
import { type RunEvent, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Budgets } from "../budgets/index.ts";
import { fromEventRow } from "../journal/index.ts";
import type { ChatOfRun, RunRow } from "../run-tables.ts";
import type { ExecutionControl } from "./execution-control.ts";

/** The person whose data is meant, by what tells them apart. */
export type PersonKey =
  | { kind: "chat"; chatId: string }
  | { kind: "session"; sessionId: string }
  | { kind: "owner"; owner: string }
  | { kind: "email"; email: string };

export type PersonalChat = ChatOfRun;

/** A run with a person's words, and its chat. */
export type PersonalRun = PersonalChat & { id: string };

export type PersonalRuns = {
  findChats(key: PersonKey): Promise<PersonalChat[]>;
  /**
   * The runs of chats, those that agents in them called, those of their sessions, whose prompts repeat them, and
   * whatever was retried or replayed from one of these. Includes the chats that belong only to them: of agents that
   * were called, and of replays.
   */
  ofChats(chats: readonly PersonalChat[]): Promise<{ runs: PersonalRun[]; chats: PersonalChat[] }>;
  /** The chats with a running or waiting run. */
  openAmong(chats: { agentId: string; owner: string; chatIds: readonly string[] }): Promise<Set<string>>;
  /** These runs, those that they called, and whatever was retried or replayed from one of them. */
  withDescendants(ids: readonly string[]): Promise<PersonalRun[]>;
  /** Ends running and waiting ones. Rejects with `conflict` if one still runs after a while. */
  end(runs: readonly PersonalRun[]): Promise<void>;
  /** Removes them with their journals, prompts and budgets; all must have ended. Resolves with the count. */
  remove(runs: readonly PersonalRun[]): Promise<number>;
};

const rowsAtOnce = 1_000;
const idsAtOnce = 100;
const isolation = { isolation: "read-committed" } as const;
const openStatuses = ["running", "suspended"] as const;

export function createPersonalRuns(database: Database, control: ExecutionControl, budgets: Budgets): PersonalRuns {
  const { read } = database;

  return {
    async findChats(key) {
      if (key.kind === "email") return [];
      const column = key.kind === "chat" ? "chatId" : key.kind === "session" ? "sessionId" : "owner";
      const value = key.kind === "chat" ? key.chatId : key.kind === "session" ? key.sessionId : key.owner;
      const chats: PersonalChat[] = [];
      for await (const range of idRanges(read, "runs", rowsAtOnce)) {
        const found = read.selectFrom("runs").select(["agentId", "chatId", "owner"]).distinct().where(inIdRange(range));
        chats.push(...(await found.where(column, "=", value).execute()));
      }
      return chats;
    },

    async ofChats(chats) {
      if (chats.length === 0) return { runs: [], chats: [] };
      const names = new Set(chats.map(nameOf));
      const sessions = new Set((await listRuns(read, (run) => names.has(nameOf(run)))).map(sessionOf));
      const own = await listRuns(read, (run) => names.has(nameOf(run)) || sessions.has(sessionOf(run)));
      const runs = own.length === 0 ? [] : await withRelated(read, own);
      // Other chats of the sessions keep their messages.
      const others = new Set(own.map(nameOf).filter((name) => !names.has(name)));
      return { runs, chats: runs.filter((run) => !others.has(nameOf(run))) };
    },

    async openAmong({ agentId, owner, chatIds }) {
      const open = new Set<string>();
      for (let from = 0; from < chatIds.length; from += idsAtOnce) {
        const some = read.selectFrom("runs").select("chatId").distinct().where("agentId", "=", agentId);
        const ofChats = some.where("chatId", "in", chatIds.slice(from, from + idsAtOnce)).where("owner", "=", owner);
        for (const { chatId } of await ofChats.where("status", "in", openStatuses).execute()) open.add(chatId);
      }
      return open;
    },

    async withDescendants(ids) {
      const known = await readRuns(read, ids);
      return known.length === 0 ? [] : withRelated(read, known);
    },

    async end(runs) {
      await cancelOpen(control, await listOpen(read, runs));
      const [left] = await listOpen(read, runs);
      if (left === undefined) return;
      const reason = `The run ${left} was cancelled and is still ending. Send this request again in a moment.`;
      throw new WeftError("conflict", { params: { reason } });
    },

    async remove(runs) {
      const count = await control.remove(runs.map(({ id }) => id));
      for (let from = 0; from < runs.length; from += idsAtOnce) {
        const some = runs.slice(from, from + idsAtOnce);
        await database.write(async (tx) => {
          await removePrompts(tx, some);
          await budgets.forget(tx, some);
        }, isolation);
      }
      return count;
    },
  };
}

type ListedRun = PersonalRun & Pick<RunRow, "sessionId">;

/** A chat by its owner, whichever of the agents that share it is asked. */
function nameOf({ chatId, owner }: PersonalChat): string {
  return JSON.stringify([chatId, owner]);
}

function sessionOf({ agentId, sessionId, owner }: ListedRun): string {
  return JSON.stringify([agentId, sessionId, owner]);
}

/** No index covers all runs of a chat or session over all agents, deleted ones included. */
async function listRuns(read: Kysely<Tables>, isMeant: (run: ListedRun) => boolean): Promise<ListedRun[]> {
  const runs: ListedRun[] = [];
  const columns = ["id", "agentId", "chatId", "sessionId", "owner"] as const;
  for await (const range of idRanges(read, "runs", rowsAtOnce)) {
    runs.push(...(await read.selectFrom("runs").select(columns).where(inIdRange(range)).execute()).filter(isMeant));
  }
  return runs;
}

async function readRuns(read: Kysely<Tables>, ids: readonly string[]): Promise<PersonalRun[]> {
  const runs: PersonalRun[] = [];
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = read.selectFrom("runs").select(["id", "agentId", "chatId", "owner"]);
    runs.push(...(await some.where("id", "in", ids.slice(from, from + idsAtOnce)).execute()));
  }
  return runs;
}

/** The runs that a run derives from, by its first event. */
function originsOf(event: RunEvent): string[] {
  if (event.type !== "run-started") return [];
  return [event.parentRunId, event.retriedFrom, event.replayedFrom].filter((id) => id !== undefined);
}

/**
 * These runs and all derived from them: they share the chat, or are replays, which exist only in the builder's chats.
 */
async function withRelated(read: Kysely<Tables>, runs: readonly PersonalRun[]): Promise<PersonalRun[]> {
  const names = new Set(runs.map(nameOf));
  const candidates: (PersonalRun & { origins: string[] })[] = [];
  for await (const range of idRanges(read, "runs", idsAtOnce)) {
    const columns = ["runs.id", "runs.agentId", "runs.chatId", "runs.owner", "runs.chatType"] as const;
    const listed = await read.selectFrom("runs").select(columns).where(inIdRange(range, "runs.id")).execute();
    const some = listed.filter((run) => run.chatType === "INTERNAL" || names.has(nameOf(run)));
    const origins = await readOrigins(
      read,
      some.map(({ id }) => id),
    );
    for (const { chatType: _, ...run } of some) candidates.push({ ...run, origins: origins.get(run.id) ?? [] });
  }
  const found = new Map(runs.map(({ id, agentId, chatId, owner }) => [id, { id, agentId, chatId, owner }]));
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const { origins, ...run } of candidates) {
      if (origins.some((id) => found.has(id))) found.set(run.id, run);
    }
  }
  return [...found.values()];
}

async function readOrigins(read: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const first = read.selectFrom("runEvents").selectAll().where("runId", "in", ids).where("seq", "=", 1);
  return new Map((await first.execute()).map((row) => [row.runId, originsOf(fromEventRow(row))]));
}

async function listOpen(read: Kysely<Tables>, runs: readonly PersonalRun[]): Promise<string[]> {
  const open: string[] = [];
  for (let from = 0; from < runs.length; from += idsAtOnce) {
    const ids = runs.slice(from, from + idsAtOnce).map(({ id }) => id);
    const some = read.selectFrom("runs").select("id").where("id", "in", ids);
    open.push(...(await some.where("status", "in", openStatuses).execute()).map(({ id }) => id));
  }
  return open;
}

/** Each cancel waits for the process that has the run. */
const cancelsAtOnce = 10;

async function cancelOpen(control: ExecutionControl, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += cancelsAtOnce) {
    const some = ids.slice(from, from + cancelsAtOnce);
    // A run that ended in the meantime is rejected; one that did not is detected afterwards.
    await Promise.allSettled(some.map((id) => control.cancel(id)));
  }
}

/** Remaining runs of the chat show that their long prompts were removed. */
async function removePrompts(tx: Kysely<Tables>, chats: readonly PersonalChat[]): Promise<void> {
  const distinct = new Map(chats.map((chat) => [JSON.stringify([chat.agentId, chat.chatId, chat.owner]), chat]));
  for (const { agentId, chatId, owner } of distinct.values()) {
    await tx
      .deleteFrom("promptParts")
      .where("agentId", "=", agentId)
      .where("chatId", "=", chatId)
      .where("owner", "=", owner)
      .execute();
  }
}
