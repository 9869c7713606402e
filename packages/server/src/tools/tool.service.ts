import type { Tables } from "@weft/database";
import { defineRows, listOrPage, type RowDates } from "@weft/http/rows";
import { momentAfter, type PageQuery, type Tool, type ToolCreate, type ToolUpdate, toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";

/** Functions that agents can call. Those that take an id reject with `not-found` for an unknown one, except `find`. */
export type ToolService = {
  /** Most recently updated first; complete, or one page if `page` and `limit` are given. */
  list(query: PageQuery): Promise<Tool[] | { data: Tool[]; total: number }>;
  find(id: string): Promise<Tool | undefined>;
  /** At most `count`, most recently updated first. */
  newestIds(count: number): Promise<string[]>;
  get(id: string): Promise<Tool>;
  /** Rejects with `conflict` if the body's own id is taken. `dates`: of a tool from another installation. */
  create(body: ToolCreate, dates?: RowDates): Promise<Tool>;
  /** Changes the given fields. If `assertCurrent` throws, the tool stays unchanged. */
  update(id: string, body: ToolUpdate, assertCurrent?: (current: Tool) => void): Promise<Tool>;
  /** Agents that still name the tool report so when they run. */
  remove(id: string): Promise<void>;
};

export function createToolService({ database, clock, ids }: Context): ToolService {
  const { read } = database;
  // Every write touches one row, inserted, locked or deleted: others wait for it and need no retry.
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });

  return {
    list: (query) => listOrPage(allTools(read), query, (row) => row),

    find: (id) => rows.find(read, id),

    async newestIds(count) {
      const newest = await allTools(read).clearSelect().select("id").limit(count).execute();
      return newest.map(({ id }) => id);
    },

    get: (id) => rows.get(read, id),

    create({ id = ids.uuid(), ...body }, dates) {
      const now = toMoment(clock.now());
      const row: ToolRow = { ...body, id, ...(dates ?? { createdDate: now, updatedDate: now }) };
      return write((tx) => rows.insert(tx, row));
    },

    update(id, body, assertCurrent) {
      return write(async (tx) => {
        const row = await rows.lock(tx, id);
        assertCurrent?.(row);
        const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
        const next: ToolRow = { ...row, ...given, updatedDate: momentAfter(row.updatedDate, clock.now()) };
        await rows.update(tx, next);
        return next;
      });
    },

    remove: (id) => write((tx) => rows.remove(tx, id)),
  };
}

type ToolRow = {
  id: string;
  name: string;
  description: string;
  color: string;
  createdDate: string;
  updatedDate: string;
  iconSrc: string | null;
  /** JSON text, in any form that clients send. */
  schema: string | null;
  func: string | null;
};

declare module "@weft/database" {
  interface Tables {
    tools: ToolRow;
  }
}

const rows = defineRows<ToolRow>("tools", "tool");

/** Most recently updated first. */
function allTools(db: Kysely<Tables>) {
  return db.selectFrom("tools").selectAll().orderBy("updatedDate", "desc").orderBy("id");
}
