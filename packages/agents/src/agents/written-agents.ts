import { type Database, keepUntilChange } from "@weft/database";
import { Written } from "@weft/http/written";
import { type Agent, agentSchema, pageSchema } from "@weft/schema";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import * as store from "./agent.store.ts";
import { type AgentFilter, type AgentHead, type AgentRow, existingAgent, toAgent, type Window } from "./agent.store.ts";

export const agentListSchema = z.array(agentSchema);
export const agentPageSchema = pageSchema(agentSchema);

export type WrittenAgent = Written<typeof agentSchema>;
type WrittenList = Written<typeof agentListSchema> | Written<typeof agentPageSchema>;

/**
 * Agents as they are answered, kept while there is room. Invariants:
 * - what is kept is found by all that tells one state of an agent from another, its version and the moment of its last
 *   change, and every write of an agent changes one of them;
 * - each answer begins with a read of these facts, unless this process alone writes and changed no agent since, so that it is never
 *   older than what was committed before, by this process or another;
 * - a list is one state of the database: where an agent changes between its two reads, it is read at once.
 */
export type WrittenAgents = {
  /** Rejects with `not-found`. */
  get(id: string): Promise<WrittenAgent>;
  /** Most recently updated first; one page, with the number of all, where there is a window. Long lists are not written. */
  list(filter: AgentFilter, window?: Window): Promise<WrittenList | Agent[]>;
  /** The most recently updated one; undefined if there is none. */
  first(filter: AgentFilter): Promise<WrittenAgent | undefined>;
};

const keptBytes = 32 * 1024 * 1024;
const keptListBytes = 16 * 1024 * 1024;
/** Longer lists are built and sent in pieces. */
const writtenListLength = 1_000;

/** Lists with cached facts. */
const rememberedLists = 20;
const rememberedAgents = 2_000;

type Source = Pick<Database, "dialect" | "read" | "changes">;
type ListFacts = { key: string; heads: AgentHead[]; total: number | undefined };

export function createWrittenAgents({ dialect, read, changes }: Source): WrittenAgents {
  // On PostgreSQL the changes of another process are heard of only after they are there.
  const exact = { changes: dialect === "sqlite" ? changes : () => undefined };
  const keys = keepUntilChange<string>(exact, ["agents"], rememberedAgents);
  const facts = keepUntilChange<ListFacts>(exact, ["agents"], rememberedLists);
  // A total may be as late as a signal: counting takes PostgreSQL longer than the page.
  const totals = keepUntilChange<number>({ changes }, ["agents"], rememberedLists);
  const agents = new LRUCache<string, WrittenAgent>({ maxSize: keptBytes, sizeCalculation });
  const lists = new LRUCache<string, WrittenList>({ maxSize: keptListBytes, sizeCalculation });

  function write(row: AgentRow): WrittenAgent {
    const key = keyOf(row);
    const known = agents.get(key);
    if (known !== undefined) return known;
    const written = Written.value(agentSchema, toAgent(row));
    agents.set(key, written);
    return written;
  }

  /** Undefined if one of them has changed meanwhile. */
  async function writeAll(heads: readonly AgentHead[]): Promise<WrittenAgent[] | undefined> {
    const found = heads.map((head) => agents.get(keyOf(head)));
    const missing = heads.filter((_, index) => found[index] === undefined);
    if (missing.length > 0) {
      const ids = missing.map(({ id }) => id);
      const rows = new Map((await store.findAgents(read, ids)).map((row) => [keyOf(row), row]));
      for (const [index, head] of heads.entries()) {
        const row = rows.get(keyOf(head));
        if (row !== undefined) found[index] ??= write(row);
      }
    }
    const all = found.filter((written) => written !== undefined);
    return all.length === heads.length ? all : undefined;
  }

  async function readFacts(filter: AgentFilter, window: Window | undefined): Promise<ListFacts> {
    const heads = await store.listAgentHeads(read, filter, window);
    const total = window && (await totals(nameOf(filter, undefined), () => store.countAgents(read, filter)));
    return { key: [total ?? "all", ...heads.map(keyOf)].join(), heads, total };
  }

  return {
    async get(id) {
      const key = await keys(id, async () => keyOf(existingAgent(await store.findAgentHead(read, id), id)));
      return agents.get(key) ?? write(await store.getAgent(read, id));
    },
    async list(filter, window) {
      const { key, heads, total } = await facts(nameOf(filter, window), () => readFacts(filter, window));
      if (heads.length > writtenListLength) return (await store.listAgents(read, filter, window)).map(toAgent);
      const known = lists.get(key);
      if (known !== undefined) return known;
      const written = await writeAll(heads);
      if (written === undefined) return toList((await store.listAgents(read, filter, window)).map(write), total);
      const list = toList(written, total);
      lists.set(key, list);
      return list;
    },
    async first(filter) {
      const [head] = await store.listAgentHeads(read, filter, { offset: 0, limit: 1 });
      const known = head && agents.get(keyOf(head));
      if (head === undefined || known !== undefined) return known;
      const [row] = await store.listAgents(read, filter, { offset: 0, limit: 1 });
      return row && write(row);
    },
  };
}

function nameOf({ reach, ...named }: AgentFilter, window: Window | undefined): string {
  return JSON.stringify([named, window, reach.agents === "all" ? "all" : [...reach.agents]]);
}

function toList(written: readonly WrittenAgent[], total: number | undefined): WrittenList {
  return total === undefined ? Written.list(agentListSchema, written) : Written.page(agentPageSchema, written, total);
}

/** A version belongs to one agent, which may change beside its flow. */
function keyOf({ versionId, updatedDate }: AgentHead): string {
  return versionId + updatedDate;
}

function sizeCalculation({ bytes }: Written, key: string): number {
  return bytes.length + key.length;
}
