import type { FlowiseSource } from "../flowise-source.ts";
import { FlowiseSourceError } from "../flowise-source-error.ts";
import { columnsOf, type FlowiseRow, type FlowiseTable, rowsOfPage, toFlowiseRow } from "../flowise-tables.ts";
import type { Driver } from "./driver.ts";

/** The part of a source that a database provides: no secrets or files. */
export type DatabaseReader = Pick<FlowiseSource, "workspaces" | "rows" | "count"> & {
  readonly organizations: readonly string[];
};

/** Columns that name a row's owner where the table has no `workspaceId`, and the owner's table. */
const owners: Readonly<Record<string, readonly (readonly [column: string, table: string])[]>> = {
  document_store_file_chunk: [["storeId", "document_store"]],
  chat_message: [["chatflowid", "chat_flow"]],
  chat_message_feedback: [["chatflowid", "chat_flow"]],
  lead: [["chatflowid", "chat_flow"]],
  upsert_history: [
    ["chatflowid", "chat_flow"],
    ["chatflowid", "document_store"],
  ],
  execution: [["agentflowId", "chat_flow"]],
  schedule_record: [["targetId", "chat_flow"]],
  dataset_row: [["datasetId", "dataset"]],
  evaluation_run: [["evaluationId", "evaluation"]],
};

type Condition = { statement: string; parameters: string[] };

/** Rejects if this is not a database of Flowise. */
export async function createDatabaseReader(driver: Driver): Promise<DatabaseReader> {
  const { sql } = driver;
  const tables = await readTables(driver);
  if (!["id", "flowData"].every((column) => tables.get("chat_flow")?.has(column))) {
    throw new FlowiseSourceError("This is not a database of Flowise: it has no table chat_flow with flows.");
  }
  const workspaces = await readNames("workspace");
  const organizations = (await readNames("organization")).map(({ id }) => id);

  async function readNames(table: string): Promise<{ id: string; name: string }[]> {
    if (!["id", "name"].every((column) => tables.get(table)?.has(column))) return [];
    const [id, name] = [sql.quote("id"), sql.quote("name")];
    const found = await driver.select(
      `select ${id} as id, ${name} as name from ${sql.quote(table)} order by ${sql.byText(name)}, ${sql.byText(id)}`,
    );
    return found.map((row) => ({ id: String(row.id), name: String(row.name) }));
  }

  /** Undefined if all rows count. */
  function conditionOf(table: string, workspace: string | undefined): Condition | undefined {
    if (workspace === undefined) return undefined;
    if (!workspaces.some(({ id }) => id === workspace)) {
      throw new FlowiseSourceError(`This Flowise has no workspace with the id ${workspace}.`);
    }
    const isOwn = `${sql.toText(sql.quote("workspaceId"))} = ?`;
    if (tables.get(table)?.has("workspaceId")) return { statement: isOwn, parameters: [workspace] };
    const known = (owners[table] ?? []).filter(([, owner]) => tables.get(owner)?.has("workspaceId"));
    if (known.length === 0) return undefined;
    const ids = sql.toText(sql.quote("id"));
    const ways = known.map(
      ([column, owner]) =>
        `${sql.toText(sql.quote(column))} in (select ${ids} from ${sql.quote(owner)} where ${isOwn})`,
    );
    return { statement: ways.join(" or "), parameters: known.map(() => workspace) };
  }

  async function listKeys(table: FlowiseTable, condition: Condition | undefined): Promise<string[]> {
    const order = orderOf(table, tables.get(table) ?? new Set(), driver).join(", ");
    const where = condition === undefined ? "" : ` where ${condition.statement}`;
    const found = await driver.select(
      `select ${sql.key} as ${sql.quote("key")} from ${sql.quote(table)}${where} order by ${order}`,
      condition?.parameters,
    );
    return found.map(({ key }) => String(key));
  }

  async function readPage<T extends FlowiseTable>(table: T, keys: readonly string[]): Promise<FlowiseRow<T>[]> {
    const present = tables.get(table) ?? new Set();
    const names = ["id", ...Object.keys(columnsOf(table))].filter((column) => present.has(column)).map(sql.quote);
    // No column of Flowise has this name.
    const key = sql.quote("weft_key");
    const found = await driver.select(
      `select ${sql.key} as ${key}, ${names.join(", ")} from ${sql.quote(table)} where ${sql.hasKey}`,
      [keys],
    );
    const byKey = new Map(found.map((row) => [String(row.weft_key), row]));
    return keys.flatMap((one) => {
      const row = byKey.get(one);
      return row === undefined ? [] : [toFlowiseRow(table, row)];
    });
  }

  return {
    workspaces,
    organizations,
    async *rows(table, { workspace } = {}) {
      const condition = conditionOf(table, workspace);
      if (!tables.has(table)) return;
      const keys = await listKeys(table, condition);
      const size = rowsOfPage(table);
      for (let start = 0; start < keys.length; start += size) {
        yield await readPage(table, keys.slice(start, start + size));
      }
    },
    async count(table, { workspace } = {}) {
      const condition = conditionOf(table, workspace);
      if (!tables.has(table)) return 0;
      const where = condition === undefined ? "" : ` where ${condition.statement}`;
      const [found] = await driver.select(
        `select count(*) as ${sql.quote("rows")} from ${sql.quote(table)}${where}`,
        condition?.parameters,
      );
      return Number(found?.rows ?? 0);
    },
  };
}

async function readTables({ sql, select }: Driver): Promise<Map<string, Set<string>>> {
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of await select(sql.columns)) {
    const columns = tables.get(String(table)) ?? new Set();
    tables.set(String(table), columns.add(String(column)));
  }
  return tables;
}

/** Oldest first; chunks by their position in the store. */
function orderOf(table: FlowiseTable, present: ReadonlySet<string>, { sql }: Driver): string[] {
  const moments = ["createdDate", "date"].map((name) => [name, sql.byMoment(sql.quote(name))] as const);
  const isAnswer = `case when ${sql.quote("role")} = 'userMessage' then 0 else 1 end`;
  const special: Partial<Record<FlowiseTable, (readonly [string, string])[]>> = {
    chat_message: [["role", isAnswer]],
    document_store_file_chunk: [
      ["storeId", sql.byText(sql.quote("storeId"))],
      ["docId", sql.byText(sql.quote("docId"))],
      ["chunkNo", sql.byNumber(sql.quote("chunkNo"))],
    ],
  };
  const all = [...moments, ...(special[table] ?? []), ["id", sql.byText(sql.quote("id"))] as const];
  return all.flatMap(([column, expression]) => (present.has(column) ? [expression] : []));
}
