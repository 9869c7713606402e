import { WeftError } from "@weft/schema";
import { z } from "zod";
import type { NodeProblem } from "../node-type.ts";
import type { SqlCall, SqlDatabase, SqlResult } from "../ports/sql-client.ts";

const ports = { postgres: 5432, mysql: 3306 };
const ofServer = { showWhen: { field: "engine", is: ["postgres", "mysql"] } };

/** Address of a database and the permitted access, shared by the step and the tool. */
export const sqlFields = {
  engine: z
    .enum(["postgres", "mysql", "sqlite"])
    .default("postgres")
    .meta({
      title: "Database system",
      labels: { postgres: "PostgreSQL", mysql: "MySQL or MariaDB", sqlite: "SQLite file" },
    }),
  host: z
    .string()
    .trim()
    .max(255)
    .default("")
    .meta({
      title: "Host",
      ref: "address",
      help: "The operator must allow private addresses with EGRESS_ALLOW.",
      placeholder: "db.example.com",
      ...ofServer,
    }),
  port: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .meta({ title: "Port", placeholder: "5432 for PostgreSQL, 3306 for MySQL", ...ofServer }),
  database: z
    .string()
    .trim()
    .max(63)
    .default("")
    .meta({ title: "Database", placeholder: "shop", ...ofServer }),
  credential: z
    .string()
    .max(100)
    .optional()
    .meta({
      title: "Credential",
      help: "User and password. The user needs rights on the tables alone, and is best one who may only read.",
      widget: "credential",
      ref: "credential",
      goesTo: [{ host: "host", port: "port", system: "engine", otherwise: "postgres", usual: ports }],
      ...ofServer,
    }),
  tls: z
    .boolean()
    .default(true)
    .meta({ title: "TLS", help: "Connect with TLS and check the server's certificate.", ...ofServer }),
  file: z
    .string()
    .trim()
    .max(500)
    .default("")
    .meta({
      title: "File",
      help: "A file below the folder that the operator names with SQL_FILES_DIR.",
      placeholder: "shop.db",
      showWhen: { field: "engine", is: ["sqlite"] },
    }),
  allowWrites: z.boolean().default(false).meta({
    title: "Allow changes",
    help: "When off, the database refuses every statement that changes something. On MySQL and MariaDB, also use a user who may only read.",
  }),
  maxRows: z.number().int().min(1).max(10_000).default(100).meta({ title: "Most rows" }),
  maxBytes: z
    .number()
    .int()
    .min(1_000)
    .max(5_000_000)
    .default(100_000)
    .meta({ title: "Largest result (bytes)", advanced: true }),
  timeoutMs: z.number().int().min(100).max(120_000).default(10_000).meta({ title: "Time limit (ms)", advanced: true }),
};

const settings = z.object(sqlFields);
export type SqlSettings = z.infer<typeof settings>;

/** Finds missing settings without which no statement could run. */
export function reviewDatabase({ engine, host, credential = "", file }: SqlSettings): NodeProblem[] {
  const problem = (path: string, message: string) => [
    { level: "error" as const, code: "sql-incomplete", path, message },
  ];
  if (engine === "sqlite")
    return file === "" ? problem("file", "It names no file. Enter the name of the database.") : [];
  if (host === "") return problem("host", "It names no host. Enter the host of the database.");
  return credential === "" ? problem("credential", "It has no credential. Choose one with user and password.") : [];
}

export type ReadCredential = (id: string) => Promise<Record<string, string>>;

/**
 * The common part of every call with these settings. The credential is read each time. Rejects with `flow-node-failed`
 * if something is missing.
 */
export async function toCall(
  config: SqlSettings,
  readCredential: ReadCredential,
): Promise<Pick<SqlCall, "database" | "access" | "maxRows" | "maxBytes" | "timeoutMs">> {
  const [problem] = reviewDatabase(config);
  if (problem !== undefined)
    throw new WeftError("flow-node-failed", { params: { reason: `Database: ${problem.message}` } });
  const { allowWrites, maxRows, maxBytes, timeoutMs } = config;
  const database = await toDatabase(config, readCredential);
  return { database, access: allowWrites ? "write" : "read", maxRows, maxBytes, timeoutMs };
}

async function toDatabase(config: SqlSettings, readCredential: ReadCredential): Promise<SqlDatabase> {
  const { engine, host, database, credential = "", tls, file } = config;
  if (engine === "sqlite") return { engine, file };
  const { user = "", password = "" } = credential === "" ? {} : await readCredential(credential);
  return { engine, host, port: config.port ?? ports[engine], database, user, password, tls };
}

/**
 * Formats a result for a model: one line of JSON for the columns and for each row, and a sentence about anything left
 * out.
 */
export function toContent({ columns, rows, truncated, changedRows }: SqlResult): string {
  if (columns.length === 0) return changedRows === undefined ? "Done." : `Done. Changed rows: ${changedRows}.`;
  if (rows.length === 0) return truncated ? "The first row is larger than the result may be." : "No rows.";
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))];
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  return truncated ? `${text}\nThere are more rows than these ${rows.length}. Ask for less, or for sums.` : text;
}
