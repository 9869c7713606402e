import type { JsonObject } from "@weft/schema";
import { toModel } from "../models.ts";
import { parsePromptText } from "../prompt-text.ts";
import { question, toSystem } from "./chains.ts";
import { addStep, type StepConverter, type StepScope, textStep, toResponseRole } from "./step.ts";

const toolName = "database";

/** Systems by the names that the component has for them. */
const systems: Readonly<Record<string, { engine: string; name: string }>> = {
  sqlite: { engine: "sqlite", name: "SQLite" },
  postgres: { engine: "postgres", name: "PostgreSQL" },
  mysql: { engine: "mysql", name: "MySQL" },
};

/** The model writes a query from the schema, the query runs, and the model words the answer: an agent with a database. */
const sqlDatabaseChain: StepConverter = {
  draw(scope) {
    const { settings } = scope;
    const database = settings.text("database").trim() || "sqlite";
    const system = Object.hasOwn(systems, database) ? systems[database] : undefined;
    scope.ignore("inputModeration");
    const config = {
      model: toModel(scope),
      ...toInstructions(scope, system?.name ?? database),
      tools: system === undefined ? refuseSystem(scope, database) : [toTool(scope, system.engine)],
      memory: { type: "off" },
      ...toResponseRole(scope),
    };
    return textStep(addStep(scope, { type: "agent", config }));
  },
};

function refuseSystem({ settings, report }: StepScope, database: string): JsonObject[] {
  for (const input of ["url", "includesTables", "ignoreTables"]) settings.text(input);
  report.refuse(
    "sql-system",
    `Databases of the kind ${database.slice(0, 50)} cannot be asked here. Choose PostgreSQL, MySQL or SQLite, or call the database through an HTTP API with a request tool.`,
    "tools",
  );
  return [];
}

const preset =
  "Answer the question from the database. Look up its tables with database_schema, write one {dialect} query that reads what the question needs, run it with database_query, and answer from the rows. Select the columns that you need, and at most {top_k} rows unless the question asks for another number.";

function toInstructions(scope: StepScope, dialect: string): { messages: JsonObject[]; prompt: string } {
  const { settings, report } = scope;
  const samples = Math.floor(settings.number("sampleRowsInTableInfo") ?? 0);
  const look = samples > 0 ? ` Before you use a table, look at ${samples} of its rows.` : "";
  const values: Readonly<Record<string, string>> = {
    dialect,
    top_k: String(Math.max(1, Math.floor(settings.number("topK") ?? 10))),
    table_info: "(look them up with database_schema)",
    input: question,
  };
  const value = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  const custom = settings.text("customPrompt").trim();
  if (custom === "") return { messages: toSystem(preset + look, value), prompt: question };
  report.warn(
    "sql-prompt",
    "Its prompt now instructs an agent that looks up the tables and runs its queries with tools. Remove what the prompt says about the form of the query and of the answer.",
  );
  const written = parsePromptText(custom).render(value);
  const asks = custom.includes("{input}");
  const messages = toSystem(`Use database_schema and database_query to answer.${look}`);
  return asks
    ? { messages, prompt: written }
    : { messages: [...messages, { role: "system", content: written }], prompt: question };
}

function toTool(scope: StepScope, engine: string): JsonObject {
  const { settings } = scope;
  const shared = {
    name: toolName,
    engine,
    tables: toNames(settings.text("includesTables")),
    hiddenTables: toNames(settings.text("ignoreTables")),
  };
  const place = engine === "sqlite" ? toFile(scope) : toServer(scope, engine);
  return { type: "sql", config: { ...shared, ...place } };
}

function toNames(list: string): string[] {
  const names = list.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/** The file has another place here. */
function toFile({ settings, report }: StepScope): JsonObject {
  const file = settings.text("url").trim().split(/[\\/]/).at(-1) ?? "";
  const name = file === "" ? "the SQLite file" : `the SQLite file ${file.slice(0, 200)}`;
  report.warn("sql-file", `Copy ${name} into the folder that the operator names with SQL_FILES_DIR.`);
  return { file };
}

/** The connection string without its user and password, which belong into a credential. */
function toServer({ settings, report }: StepScope, engine: string): JsonObject {
  const url = URL.parse(settings.text("url").trim());
  if (url === null || !/^(postgres(ql)?|mysql|mariadb):$/.test(url.protocol) || url.hostname === "") {
    report.refuse(
      "sql-address",
      "Its connection string is not an address such as postgres://HOST:5432/DATABASE. Enter host and database in the settings of the tool Database.",
      "tools",
    );
    return {};
  }
  const user = url.username === "" ? "" : ` of the user ${decode(url.username).slice(0, 100)}`;
  report.warn(
    "sql-credential",
    `The password${user} in its connection string is not taken over. Choose a credential with user and password, whose user may only read; change the password if the flow was ever exported.`,
  );
  const tls = ["sslmode", "ssl", "tls"].some(
    (name) => !/^(disable|allow|prefer|false|0|)$/i.test(url.searchParams.get(name) ?? ""),
  );
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || (engine === "mysql" ? 3306 : 5432)),
    database: decode(url.pathname.slice(1)).slice(0, 63),
    tls,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const sqlChains: Readonly<Record<string, StepConverter>> = { sqlDatabaseChain };
