import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runNamed } from "../commands.ts";
import type { Shell } from "../run-command.ts";

export type CliRun = { args?: readonly string[]; env?: Record<string, string>; input?: string };
export type CliEnd = { exitCode: number | null; stdout: string; stderr: string };

const runner = fileURLToPath(new URL("../../../../../scripts/command.mjs", import.meta.url));

/** Starts a command, by the name that it has for npm, as a process of its own. Its standard input ends after `input`. */
export function startCli(command: string, { args = [], env = {}, input = "" }: CliRun): ChildProcessWithoutNullStreams {
  const [program, words] = command === "flow" ? ["workbench", []] : ["cli", [command]];
  const child = spawn(process.execPath, [...findProgram(program), ...words, ...args], { env, timeout: 30_000 });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return child;
}

/** Runs a command as a process of its own to its end. */
export async function runCli(command: string, run: CliRun): Promise<CliEnd> {
  const child = startCli(command, run);
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await exited, stdout, stderr };
}

/** As `runCli`, without a process: for what a command says and does, not for how its process starts, reads and ends. */
export async function callCli(command: string, { args = [], ...given }: CliRun): Promise<CliEnd> {
  const { shell, ended } = createTestShell(given);
  await runNamed([command, ...args], shell);
  return ended();
}

/** What a command takes for its process. `ended`: what it wrote, and its exit status. */
export function createTestShell({ env = {}, input = "" }: Omit<CliRun, "args">) {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const shell: Shell = {
    env,
    stdin: Readable.from(input === "" ? [] : [input]),
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
  };
  const ended = (): CliEnd => ({
    exitCode: Number(shell.exitCode ?? 0),
    stdout: stdout.join(""),
    stderr: stderr.join(""),
  });
  return { shell, ended };
}

/** `scripts/command.mjs`, or what it runs in the end: its part of the bundle that the test runner found in `TEST_SERVER`. */
function findProgram(name: string): string[] {
  const server = process.env.TEST_SERVER;
  return server === undefined ? [runner, name] : [join(dirname(server), `${name}.mjs`)];
}
