import { readdirSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { findDescendants, readCommand, readListeningPorts } from "./read-processes.ts";
import { killQuietly } from "./start-test-process.ts";
import type { TestPostgres } from "./test-postgres.ts";

/** What a test process had before it ran a file. */
export type StateBefore = { pid: number; ports: readonly number[]; temporary: string };

/** The sound system of the machine keeps a folder for every program that makes a sound, as browsers do. */
const ofOthers = /^pulse-/;

/** Shared by all who embed in a process, and ends with it: see `shareEmbeddedModel`. */
const ofProcess = /\/embedded-worker\.ts$/;

/** Things end a moment after they were told to. */
const attempts = 40;
const pauseMs = 50;

export function readStateBefore(pid: number, temporary: string): StateBefore {
  return { pid, ports: readListeningPorts(pid), temporary };
}

/** Names what a file has left behind, a line each, and removes it: processes, ports, temporary files, databases. */
export async function findLeftovers(before: StateBefore, postgres: TestPostgres | undefined): Promise<string[]> {
  let left = look(before);
  for (let attempt = 1; left.length > 0 && attempt < attempts; attempt += 1) {
    await delay(pauseMs);
    left = look(before);
  }
  const databases = (await postgres?.takeDatabases(before.pid)) ?? [];
  for (const pid of findDescendants(before.pid)) killQuietly(pid);
  rmSync(before.temporary, { recursive: true, force: true });
  return [...left, ...databases.map((name) => `the database ${name}`)];
}

function look({ pid, ports, temporary }: StateBefore): string[] {
  return [
    ...findDescendants(pid)
      .map((child) => ({ child, command: readCommand(child).trim() }))
      .filter(({ command }) => !ofProcess.test(command))
      .map(({ child, command }) => `the process ${child}: ${command.slice(0, 200)}`),
    ...readListeningPorts(pid)
      .filter((port) => !ports.includes(port))
      .map((port) => `a server on port ${port}`),
    ...namesIn(temporary)
      .filter((name) => !ofOthers.test(name))
      .map((name) => `${name} in the folder for temporary files`),
  ];
}

/** A folder that its process has removed has nothing left in it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw cause;
  }
}
