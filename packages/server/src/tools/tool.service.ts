import type { Tables } from "@weft/database";
import {
  momentAfter,
  type PageQuery,
  type Tool,
  type ToolCreate,
  type ToolUpdate,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import type { ToolRow } from "./tool.store.ts";
import * as store from "./tool.store.ts";

/** Functions that agents can call. Those that take an id reject with `not-found` for an unknown one, except `find`. */
export type ToolService = {
  /** Most recently updated first; complete, or one page if `page` and `limit` are given. */
  list(query: PageQuery): Promise<Tool[] | { data: Tool[]; total: number }>;
  find(id: string): Promise<Tool | undefined>;
  /** At most `count`, most recently updated first. */
  newestIds(count: number): Promise<string[]>;
  get(id: string): Promise<Tool>;
  /** Rejects with `conflict` if the body's own id is taken. `dates`: of a tool from another installation. */
  create(body: ToolCreate, dates?: Pick<Tool, "createdDate" | "updatedDate">): Promise<Tool>;
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
    async list({ page, limit }) {
      if (page === undefined || limit === undefined) return store.listTools(read);
      const data = await store.listTools(read, { offset: (page - 1) * limit, limit });
      return { data, total: await store.countTools(read) };
    },

    find: (id) => store.findTool(read, id),

    newestIds: (count) => store.newestToolIds(read, count),

    async get(id) {
      return existing(await store.findTool(read, id), id);
    },

    create({ id = ids.uuid(), ...body }, dates) {
      const now = toMoment(clock.now());
      const row: ToolRow = { ...body, id, ...(dates ?? { createdDate: now, updatedDate: now }) };
      return write(async (tx) => {
        if (await store.insertTool(tx, row)) return row;
        throw new WeftError("conflict", { params: { reason: `A tool with the id ${id} already exists.` } });
      });
    },

    update(id, body, assertCurrent) {
      return write(async (tx) => {
        const row = existing(await store.lockTool(tx, id), id);
        assertCurrent?.(row);
        const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
        const next: ToolRow = { ...row, ...given, updatedDate: momentAfter(row.updatedDate, clock.now()) };
        await store.updateTool(tx, next);
        return next;
      });
    },

    remove(id) {
      return write(async (tx) => {
        if (!(await store.deleteTool(tx, id))) throw notFound(id);
      });
    },
  };
}

function existing(row: ToolRow | undefined, id: string): ToolRow {
  if (row === undefined) throw notFound(id);
  return row;
}

function notFound(id: string): WeftError {
  return new WeftError("not-found", { params: { resource: "tool", id } });
}
