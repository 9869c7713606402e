import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";

/** A server as a process of its own, gone with this one. */
export type ServerProcess = { url: string; port: number; pid: number; stop(): Promise<void> };

/**
 * Starts Node with a script that prints `{"url":"http://…"}` when it serves. Rejects when the process ends before that.
 * `env`: default that of this process.
 */
export async function startServerProcess(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill("SIGKILL"));
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), failAtEnd(child)])) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return { url, port: Number(new URL(url).port), pid: child.pid ?? 0, stop: () => end(child) };
}

async function failAtEnd(child: ChildProcess): Promise<never> {
  const [status] = await once(child, "exit");
  throw new Error(`${child.spawnargs[1]} ended with ${status} instead of serving.`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
