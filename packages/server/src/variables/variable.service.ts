import type { Tables } from "@weft/database";
import { listOrPage, type RowDates } from "@weft/http/rows";
import {
  type JsonObject,
  momentAfter,
  type PageQuery,
  parseVariableValue,
  toMoment,
  type Variable,
  type VariableCreate,
  type VariableUpdate,
  variableTypeSchema,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import { allVariables, rows, type VariableRow } from "./variable.store.ts";
import { createVariableValues } from "./variable-values.ts";

/**
 * Values that flows read as `$vars`. Names need not be unique: the variable updated last wins.
 * Functions that take an id reject with `not-found` for an unknown one.
 */
export type VariableService = {
  /** Most recently updated first; complete, or one page if `page` and `limit` are given. */
  list(query: PageQuery): Promise<Variable[] | { data: Variable[]; total: number }>;
  get(id: string): Promise<Variable>;
  /** Rejects with `conflict` if the body's own id is taken. `dates`: of a variable from another installation. */
  create(body: VariableCreate, dates?: RowDates): Promise<Variable>;
  /**
   * Rejects with `body-invalid` if the value does not fit the variable's resulting type.
   * If `assertCurrent` throws, the variable stays unchanged.
   */
  update(id: string, body: VariableUpdate, assertCurrent?: (current: Variable) => void): Promise<Variable>;
  remove(id: string): Promise<void>;
  /**
   * The typed values for runs, including those of the environment and the defaults. Sees every write of this process,
   * and those of others after two seconds at most.
   */
  all(): Promise<JsonObject>;
};

export function createVariableService({ database, clock, ids, vault, config }: Context): VariableService {
  const { read } = database;
  const values = createVariableValues({
    list: () => allVariables(read).execute(),
    clock,
    environment: config.runtimeVariables,
    defaults: config.variables,
    know: vault.know,
  });
  // Every write touches one row, inserted, locked or deleted: others wait for it and need no retry.
  const write = async <T>(fn: (tx: Kysely<Tables>) => Promise<T>): Promise<T> => {
    const result = await database.write(fn, { isolation: "read-committed" });
    values.forget();
    return result;
  };

  return {
    all: values.all,

    list: (query) => listOrPage(allVariables(read), query, toVariable),

    get: async (id) => toVariable(await rows.get(read, id)),

    create({ id = ids.uuid(), name, value, type }, dates) {
      const now = toMoment(clock.now());
      const row: VariableRow = { id, name, value, type, ...(dates ?? { createdDate: now, updatedDate: now }) };
      return write(async (tx) => toVariable(await rows.insert(tx, row)));
    },

    update(id, { name, value, type }, assertCurrent) {
      return write(async (tx) => {
        const row = toVariable(await rows.lock(tx, id));
        assertCurrent?.(row);
        const next: Variable = {
          ...row,
          name: name ?? row.name,
          value: value === undefined ? row.value : value,
          type: type ?? row.type,
          updatedDate: momentAfter(row.updatedDate, clock.now()),
        };
        refuseMisfit(next);
        await rows.update(tx, next);
        return next;
      });
    },

    remove: (id) => write((tx) => rows.remove(tx, id)),
  };
}

function refuseMisfit({ type, value }: Variable): void {
  const parsed = parseVariableValue(type, value);
  if (parsed.ok) return;
  const reason = `value: ${parsed.message}, because the type is ${type}`;
  throw new WeftError("body-invalid", { params: { reason }, errors: [{ path: "value", message: parsed.message }] });
}

function toVariable(row: VariableRow): Variable {
  return { ...row, type: variableTypeSchema.parse(row.type) };
}
