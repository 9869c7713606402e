import type { SqlClient, SqlOutcome, SqlTable } from "@weft/engine/ports/sql-client";
import type { Tool, ToolResult } from "@weft/engine/ports/tool";
import { reviewDatabase, type SqlSettings, sqlFields, toCall, toContent } from "@weft/engine/sql";
import { type CredentialField, type JsonSchema, toJsonList, WeftError } from "@weft/schema";
import { z } from "zod";
import { defineIntegration, type IntegrationContext } from "./define-integration.ts";
import { toToolName } from "./tool-name.ts";

const config = z.object({
  name: z.string().trim().max(50).default("database").meta({
    title: "Name",
    help: "The model sees it in the names of two tools, such as database_schema and database_query.",
  }),
  description: z
    .string()
    .trim()
    .max(4_000)
    .default("")
    .meta({ title: "Description", help: "Tells the model what the database contains.", widget: "textarea" }),
  ...sqlFields,
  tables: z.array(z.string().trim().min(1).max(200)).max(200).default([]).meta({
    title: "Tables in the schema",
    help: "Tables that the model is told of; all if empty. What it may read is up to the user's rights.",
    item: "table",
    advanced: true,
  }),
  hiddenTables: z
    .array(z.string().trim().min(1).max(200))
    .max(200)
    .default([])
    .meta({ title: "Tables left out of the schema", item: "table", advanced: true }),
});
type SqlToolConfig = z.infer<typeof config>;

/** Lets the model look up the tables of a database, and ask it with statements that it writes. */
const databaseUser: readonly CredentialField[] = [
  { name: "user", title: "User", secret: false, required: true },
  { name: "password", title: "Password", secret: true, required: true },
];

export const sql = defineIntegration({
  type: "sql",
  title: "Database",
  summary: "Reads the schema of an SQL database and runs statements: PostgreSQL, MySQL, MariaDB or a SQLite file.",
  group: "built-in",
  icon: "database",
  credentialTypes: [
    { name: "PostgresApi", title: "PostgreSQL", fields: databaseUser },
    { name: "MySQLApi", title: "MySQL or MariaDB", fields: databaseUser },
  ],
  config,
  review: (settings) => reviewDatabase(settings),
  isBuiltForEachRun: () => true,
  build: (settings, context) => [createSchemaTool(settings, context), createQueryTool(settings, context)],
});

const systems: Readonly<Record<SqlSettings["engine"], string>> = {
  postgres: "PostgreSQL",
  mysql: "MySQL",
  sqlite: "SQLite",
};

const nameOf = ({ name }: SqlToolConfig) => toToolName(name, "database");

function createSchemaTool(settings: SqlToolConfig, { readCredential }: IntegrationContext): Tool {
  const about = settings.description === "" ? "" : ` ${settings.description}`;
  return {
    name: `${nameOf(settings)}_schema`,
    description: `Lists the tables and columns of a ${systems[settings.engine]} database. Call it before you write a statement.${about}`,
    parameters: { type: "object", properties: {}, additionalProperties: false },
    kind: "read",
    effect: "read",
    call: (_args, { signal, sql: client }) =>
      toResult(client, signal, async (asked) => {
        const { database, timeoutMs } = await toCall(settings, readCredential);
        const outcome = await asked.describe({ database, timeoutMs, signal });
        return outcome.ok ? { ok: true, value: toSchemaText(outcome.value, settings) } : outcome;
      }),
  };
}

function createQueryTool(settings: SqlToolConfig, { readCredential }: IntegrationContext): Tool {
  const { engine, allowWrites, maxRows } = settings;
  const may = allowWrites ? "It may change data." : "It may only read.";
  return {
    name: `${nameOf(settings)}_query`,
    description: `Runs one ${systems[engine]} statement and returns at most ${maxRows} rows. ${may} Put values into parameters and write $1, $2 … in their place.`,
    parameters: queryParameters,
    kind: allowWrites ? "write" : "read",
    effect: ({ statement }, { sql: client }) =>
      allowWrites ? (client?.effectOf(engine, String(statement)) ?? "destructive") : "read",
    call: ({ statement, parameters = [] }, { signal, sql: client }) =>
      toResult(client, signal, async (asked) => {
        const call = await toCall(settings, readCredential);
        // A function that a SELECT calls cannot change anything unasked.
        const isRead = asked.effectOf(engine, String(statement)) === "read";
        const outcome = await asked.run({
          ...call,
          ...(isRead && { access: "read" as const }),
          statement: String(statement),
          parameters: toJsonList(parameters),
          signal,
        });
        return outcome.ok ? { ok: true, value: toContent(outcome.value) } : outcome;
      }),
  };
}

const queryParameters: JsonSchema = {
  type: "object",
  properties: {
    statement: { type: "string", minLength: 1, maxLength: 50_000, description: "One SQL statement." },
    parameters: {
      type: "array",
      maxItems: 100,
      items: { type: ["string", "number", "boolean", "null"] },
      description: "The values of $1, $2 …",
    },
  },
  required: ["statement"],
  additionalProperties: false,
};

/** Reports failures to the model, which may write a better statement. */
async function toResult(
  client: SqlClient | undefined,
  signal: AbortSignal,
  ask: (client: SqlClient) => Promise<SqlOutcome<string>>,
): Promise<ToolResult> {
  if (client === undefined) return { content: "Databases can only be asked by a run.", isError: true };
  try {
    const outcome = await ask(client);
    return outcome.ok ? { content: outcome.value } : { content: outcome.reason, isError: true };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WeftError) return { content: error.message, isError: true };
    throw error;
  }
}

const maxSchemaCharacters = 60_000;

/** One line per table: `orders(id integer key, total numeric null)`. */
function toSchemaText(tables: readonly SqlTable[], { tables: shown, hiddenTables }: SqlToolConfig): string {
  const named = tables.filter(
    ({ name }) => (shown.length === 0 || shown.includes(name)) && !hiddenTables.includes(name),
  );
  if (named.length === 0) return "There are no tables that this user may read.";
  const lines = named.map(({ name, columns }) => {
    const list = columns.map((column) =>
      [column.name, column.type, ...(column.key ? ["key"] : []), ...(column.nullable ? ["null"] : [])]
        .filter((word) => word !== "")
        .join(" "),
    );
    return `${name}(${list.join(", ")})`;
  });
  const text = lines.join("\n");
  if (text.length <= maxSchemaCharacters) return text;
  return `${text.slice(0, maxSchemaCharacters)}\n… There are more tables. These are all names: ${named
    .map(({ name }) => name)
    .join(", ")
    .slice(0, maxSchemaCharacters)}`;
}
