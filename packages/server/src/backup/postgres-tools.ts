import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { environmentWith } from "../config.ts";

/** A PostgreSQL program and its arguments except for the database, as the operator would type them. */
export type PostgresCommand = readonly [program: "pg_dump" | "pg_restore", ...args: string[]];

/** Dumps the database at one moment, in PostgreSQL's own compressed format. */
export const dumpCommand = (path: string): PostgresCommand => [
  "pg_dump",
  "--format=custom",
  "--no-owner",
  "--no-privileges",
  `--file=${path}`,
];

/** Restores all or nothing, into a database without tables. */
export const restoreCommand = (path: string): PostgresCommand => [
  "pg_restore",
  "--single-transaction",
  "--exit-on-error",
  "--no-owner",
  "--no-privileges",
  path,
];

/** For the shell of an operator whose environment has DATABASE_URL. */
export function toShell([program, ...args]: PostgresCommand): string {
  return [
    program,
    `--dbname="$DATABASE_URL"`,
    ...args.map((arg) => (/^[\w./=:-]+$/.test(arg) ? arg : `'${arg}'`)),
  ].join(" ");
}

/**
 * Runs the program on a database. False: it is not installed. Rejects with its output if it fails. The password is
 * passed in the environment: a command line can be read by every user of the machine.
 */
export async function runPostgresCommand([program, ...args]: PostgresCommand, databaseUrl: string): Promise<boolean> {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get("password") ?? decodeURIComponent(url.password);
  url.password = "";
  url.searchParams.delete("password");
  const child = spawn(program, [`--dbname=${url.href.replaceAll("+", "%20")}`, "--no-password", ...args], {
    env: environmentWith(password === "" ? {} : { PGPASSWORD: password }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const isAbsent = new Promise<boolean>((resolve, reject) => {
    child.once("error", (cause) => ("code" in cause && cause.code === "ENOENT" ? resolve(true) : reject(cause)));
    child.once("spawn", () => resolve(false));
  });
  if (await isAbsent) return false;
  const [said] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (child.exitCode !== 0) throw new Error(`${program} failed: ${said.trim()}`);
  return true;
}
