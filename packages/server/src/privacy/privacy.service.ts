import type { Limits } from "@weft/http";
import { clientOwner, everything } from "@weft/http/identity";
import type { PersonalChat, PersonalRun, PersonKey } from "@weft/run-host";
import { type Erased, type Person, personalParts, WeftError } from "@weft/schema";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";

type Keepers = Needs<"chats" | "documentStores" | "personalRuns" | "runHost" | "webhooks">;

/** A person's stored data, over all features that have some. */
export type PrivacyService = {
  /**
   * All of it as the pieces of one JSON text, each read on demand. `by`: the requester, for the log and the rate limit.
   */
  export(person: Person, by: string): Promise<AsyncGenerator<string>>;
  /**
   * Erases it from every table, index and file, in small writes; the next request completes an interrupted one.
   * Running runs are cancelled. Rejects with `conflict` if one does not end, or an upsert is using its documents.
   */
  erase(person: Person, by: string): Promise<Erased>;
  /**
   * Erases chats with everything but the leads that they left, which have their own retention. Resolves with those of
   * which something remains, such as documents of a running upsert.
   */
  eraseChats(chats: readonly PersonalChat[]): Promise<{ chatId: string; cause: unknown }[]>;
  /** Erases runs with those they called and those that repeat them, and their pending deliveries. */
  eraseRuns(ids: readonly string[]): Promise<void>;
};

/** Each scans whole tables. */
const limit = { requests: 20, windowMs: 60_000 };

export function createPrivacyService(
  { database, idempotency, limits, logger }: Context,
  needs: Keepers,
): PrivacyService {
  const { personalRuns: runs } = needs;
  const { callbacks } = needs.webhooks;
  const chats = needs.chats.personal;
  const documents = needs.documentStores.personal;

  async function find(person: Person): Promise<Found> {
    const key = toKey(person);
    const named = distinctChats([...(await chats.findChats(key)), ...(await runs.findChats(key))]);
    const ofChats = await runs.ofChats(named);
    return { key, chats: distinctChats([...named, ...ofChats.chats]), runs: ofChats.runs };
  }

  async function removeRuns(found: readonly PersonalRun[]): Promise<{ executions: number; callbacks: number }> {
    const ids = found.map(({ id }) => id);
    await runs.end(found);
    const unsent = await callbacks.forgetRuns(ids);
    const executions = await runs.remove(found);
    // A delivery may have been created while the runs were removed.
    return { executions, callbacks: unsent + (await callbacks.forgetRuns(ids)) };
  }

  async function eraseFound(found: Found, keep?: { leads: boolean }) {
    await runs.end(found.runs);
    const erased = { ...nothing, chats: found.chats.length };
    const removeUpserts = async (ids: readonly string[]) => runs.remove(await runs.withDescendants(ids));
    for (const chat of found.chats) add(erased, await documents.erase(chat, removeUpserts));
    erased.answers = await idempotency.forgetNamed(namesIn(found));
    add(erased, await removeRuns(found.runs));
    for (const chat of found.chats) add(erased, await chats.erase(chat, keep));
    return erased;
  }

  return {
    async export(person, by) {
      await takeTurn(limits, by);
      const found = await find(person);
      logger.info("personal-data-exported", { answeredBy: by, count: found.chats.length });
      return toPieces(partsOf(needs, found));
    },

    async erase(person, by) {
      await takeTurn(limits, by);
      const erased = await eraseFound(await find(person));
      await database.eraseDeleted();
      logger.info("personal-data-erased", { answeredBy: by, count: erased.chats });
      return erased;
    },

    async eraseChats(idle) {
      if (idle.length === 0) return [];
      const eraseSome = async (named: readonly PersonalChat[]) => {
        const ofChats = await runs.ofChats(named);
        const all = distinctChats([...named, ...ofChats.chats]);
        await eraseFound({ chats: all, runs: ofChats.runs }, { leads: true });
      };
      try {
        await eraseSome(idle);
        return [];
      } catch {
        const failed: { chatId: string; cause: unknown }[] = [];
        for (const chat of idle) {
          await eraseSome([chat]).catch((cause) => failed.push({ chatId: chat.chatId, cause }));
        }
        return failed;
      }
    },

    async eraseRuns(ids) {
      await removeRuns(await runs.withDescendants(ids));
    },
  };
}

/** With what was asked for, if it was a person. */
type Found = { key?: PersonKey; chats: readonly PersonalChat[]; runs: readonly PersonalRun[] };

const nothing: Erased = {
  chats: 0,
  messages: 0,
  executions: 0,
  files: 0,
  feedback: 0,
  leads: 0,
  documents: 0,
  vectors: 0,
  upserts: 0,
  callbacks: 0,
  answers: 0,
};

const kinds = [
  ...(["chats", "messages", "executions", "files", "feedback", "leads"] as const),
  ...(["documents", "vectors", "upserts", "callbacks", "answers"] as const),
] satisfies readonly (keyof Erased)[];

function add(erased: Erased, more: Partial<Erased>): void {
  for (const kind of kinds) erased[kind] += more[kind] ?? 0;
}

function toKey({ chatId, sessionId, clientId, email }: Person): PersonKey {
  if (chatId !== undefined) return { kind: "chat", chatId };
  if (sessionId !== undefined) return { kind: "session", sessionId };
  if (clientId !== undefined) return { kind: "owner", owner: clientOwner(clientId) };
  return { kind: "email", email: email ?? "" };
}

function distinctChats(chats: readonly PersonalChat[]): PersonalChat[] {
  const byName = chats.map(({ agentId, chatId, owner }) => {
    const chat = { agentId, chatId, owner };
    return [JSON.stringify([agentId, chatId, owner]), chat] as const;
  });
  return [...new Map(byName).values()];
}

/** The names by which stored answers mention it. */
function namesIn({ key, chats, runs }: Found): Set<string> {
  const own = key?.kind === "email" ? [key.email] : [];
  return new Set([...own, ...chats.map(({ chatId }) => chatId), ...runs.map(({ id }) => id)]);
}

async function takeTurn(limits: Limits, by: string): Promise<void> {
  const { waitMs } = await limits.take(`privacy ${by}`, limit);
  if (waitMs === 0) return;
  throw new WeftError("rate-limited", { params: { retryAfterSeconds: Math.ceil(waitMs / 1_000) } });
}

type Part = keyof typeof personalParts;

async function* partsOf({ chats, documentStores, runHost }: Keepers, found: Found): AsyncGenerator<[Part, unknown]> {
  for (const chat of found.chats) {
    yield ["chats", { ...chat, ...(await chats.personal.noted(chat)) }];
  }
  for (const part of ["messages", "feedback", "leads", "files"] as const) {
    for (const chat of found.chats) for await (const item of chats.personal[part](chat)) yield [part, item];
  }
  for (const chat of found.chats)
    for await (const item of documentStores.personal.ofChat(chat)) yield ["documents", item];
  for (const { id } of found.runs) {
    const run = await runHost.executions.get(id, everything).catch(() => undefined);
    // One deleted meanwhile is missing.
    if (run !== undefined) yield ["executions", run];
  }
}

const order = [
  "chats",
  "messages",
  "feedback",
  "leads",
  "files",
  "documents",
  "executions",
] as const satisfies readonly Part[];

/** A JSON object with a list for each part, in order; each item passes the schema of its part. */
async function* toPieces(items: AsyncGenerator<[Part, unknown]>): AsyncGenerator<string> {
  let at = -1;
  const openTo = (part: number) => {
    let text = "";
    for (; at < part; at += 1) text += `${at < 0 ? "{" : "],"}${JSON.stringify(order[at + 1])}:[`;
    return text;
  };
  for await (const [part, item] of items) {
    const opening = openTo(order.indexOf(part));
    yield `${opening === "" ? "," : opening}${JSON.stringify(personalParts[part].parse(item))}`;
  }
  yield `${openTo(order.length - 1)}]}`;
}
