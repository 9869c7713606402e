import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export type CliRun = { args?: readonly string[]; env?: Record<string, string>; input?: string };
export type CliEnd = { exitCode: number | null; stdout: string; stderr: string };

const runner = fileURLToPath(new URL("../../../../../scripts/command.mjs", import.meta.url));

/** Runs a command, by the name that it has for npm, as a process of its own. Its standard input ends after `input`. */
export async function runCli(command: string, { args = [], env = {}, input = "" }: CliRun): Promise<CliEnd> {
  const words = command === "flow" ? ["workbench"] : ["cli", command];
  const child = spawn(process.execPath, [runner, ...words, ...args], { env, timeout: 30_000 });
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await exited, stdout, stderr };
}
