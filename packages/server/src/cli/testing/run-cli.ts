import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export type CliRun = { args?: readonly string[]; env?: Record<string, string>; input?: string };
export type CliEnd = { exitCode: number | null; stdout: string; stderr: string };

/** Runs a command, by its name or by its file, as a process of its own. Its standard input ends after `input`. */
export async function runCli(command: string | URL, { args = [], env = {}, input = "" }: CliRun): Promise<CliEnd> {
  const isNamed = typeof command === "string";
  const file = fileURLToPath(isNamed ? new URL("../main.ts", import.meta.url) : command);
  const child = spawn(process.execPath, [file, ...(isNamed ? [command] : []), ...args], { env, timeout: 30_000 });
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await exited, stdout, stderr };
}
