import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";

/** The scripted model server as a process of its own. */
export type ModelServerProcess = { url: string; port: number; pid: number; stop(): Promise<void> };

export async function startModelServer(args: readonly string[] = []): Promise<ModelServerProcess> {
  const main = fileURLToPath(import.meta.resolve("@weft/providers/testing/main"));
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return { url, port: Number(new URL(url).port), pid: child.pid ?? 0, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
