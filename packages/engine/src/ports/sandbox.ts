import type { Json, JsonObject, Share } from "@weft/schema";
import type { HttpClient } from "./http-client.ts";
import type { SqlClient } from "./sql-client.ts";

export type SandboxCall = {
  /** Body of an async function: may `await` and must `return` its result. */
  code: string;
  /** Global constants the code sees, by name (such as `$url`). Values are copied, never shared. */
  globals: JsonObject;
  /**
   * Gives the code a `fetch(url, { method, headers, body })` through this client, which the modules `node-fetch` and
   * `axios` use. Absent: the code cannot make requests.
   */
  http?: HttpClient;
  /** Lets the modules `typeorm`, `pg` and `mysql2` query databases through this client. Absent: they cannot. */
  sql?: SqlClient;
  /** Includes waiting for answers, but not for a free thread. Default 10,000. */
  timeoutMs?: number;
  /** On whose behalf. Default: that of the run, if a run makes the call. */
  share?: Share;
  signal: AbortSignal;
};

export type SandboxResult =
  | { ok: true; value: Json; logs: string[] }
  | { ok: false; error: { name: string; message: string }; logs: string[] };

/** Runs user code isolated from the server: own heap, memory limit and deadline; nothing of the host is reachable. */
export type Sandbox = { run(call: SandboxCall): Promise<SandboxResult> };

/** Modules that code may `require`, by the names that existing code uses. */
const sandboxModules = [
  "assert",
  "axios",
  "buffer",
  "cheerio",
  "crypto",
  "dayjs",
  "events",
  "lodash",
  "moment",
  "mysql2",
  "mysql2/promise",
  "node-fetch",
  "path",
  "pg",
  "querystring",
  "typeorm",
  "url",
  "zlib",
] as const;
export type SandboxModule = (typeof sandboxModules)[number];

/** Parts of modules: Lodash functions, plugins and locales of the date libraries. */
export function isSubModule(name: string): boolean {
  return /^(lodash\/\w+|dayjs\/(plugin|locale)\/[\w-]+|moment\/(moment|locale\/[\w-]+))$/.test(name);
}

/** Whether code may make requests or query databases, judging by its text. If false, running it again is harmless. */
export function mayCallHosts(code: string): boolean {
  return /\b(fetch|axios)\b|["'`](typeorm|pg|mysql2(\/promise)?)["'`]/.test(code);
}

/** Modules that code requires and a sandbox lacks, judging by its text; each once. */
function missingModules(code: string): string[] {
  const asked = Array.from(statementsOf(code).matchAll(/\brequire\(\s*["'`]([^"'`]+)["'`]/g), ([, name = ""]) => name);
  const isKnown = (name: string) => sandboxModules.some((own) => own === name) || isSubModule(name);
  return [...new Set(asked.filter((name) => !isKnown(name.replace(/^node:/, ""))))];
}

function statementsOf(code: string): string {
  return code
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("//"))
    .join("\n");
}

/** The missing modules as a sentence that begins with `owner`; undefined if none are missing. */
export function missingModulesSentence(code: string, owner: string): string | undefined {
  const missing = missingModules(code);
  if (missing.length > 0) {
    const isAsking = missing.some((name) => databaseModules.has(name));
    const advice = isAsking
      ? "Ask the database with typeorm, pg or mysql2, or with an SQL query step."
      : "Rewrite it with fetch and plain JavaScript.";
    return `${owner} uses ${missing.join(", ")}, which the sandbox does not have. ${advice}`;
  }
  const statements = statementsOf(code);
  if (!/\baxios\s*[.(]/.test(statements) || /\baxios\s*=|\bimport\b/.test(statements)) return undefined;
  return `${owner} uses axios without asking for it. Begin it with: const axios = require("axios");`;
}

/** Database modules that the sandbox has no counterpart for. */
const databaseModules = new Set(["mysql", "sqlite3", "better-sqlite3"]);
