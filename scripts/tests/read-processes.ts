import { readdirSync, readFileSync, readlinkSync } from "node:fs";

// What Linux tells of processes: proc(5). Where there is no /proc (macOS, Windows) nothing is found.

type ProcessStat = { parent: number; session: number; isDead: boolean; cpuSeconds: number };

/** `sysconf(_SC_CLK_TCK)` on every platform that Node runs on. */
const ticksPerSecond = 100;
const listening = "0A";

/** Processes of a session and those that its leader started in other ones; without the leader, and without dead ones. */
export function findDescendants(leader: number): number[] {
  return readNames("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const stat = pid === leader ? undefined : readStat(pid);
      return stat !== undefined && !stat.isDead && (stat.session === leader || stat.parent === leader);
    });
}

/** What a process was started with, for people to read. */
export function readCommand(pid: number): string {
  return readText(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
}

/** Of the process and those of its children that have ended. */
export function readCpuSeconds(pid: number): number {
  return readStat(pid)?.cpuSeconds ?? 0;
}

export function readResidentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;
}

/** TCP ports on which a process listens. */
export function readListeningPorts(pid: number): number[] {
  const inodes = new Set(
    readNames(`/proc/${pid}/fd`).flatMap(
      (name) => /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${name}`))?.[1] ?? [],
    ),
  );
  return ["tcp", "tcp6"]
    .flatMap((table) => readText(`/proc/${pid}/net/${table}`).split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === listening && inodes.has(inode ?? ""))
    .map(([, address = ""]) => Number.parseInt(address.slice(address.indexOf(":") + 1), 16));
}

function readStat(pid: number): ProcessStat | undefined {
  const text = readText(`/proc/${pid}/stat`);
  // The name stands in parentheses and may hold anything.
  const [state, parent, , session, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (session === undefined) return undefined;
  const ticks = rest.slice(7, 11).reduce((sum, value) => sum + Number(value), 0);
  return {
    parent: Number(parent),
    session: Number(session),
    isDead: state === "Z" || state === "X",
    cpuSeconds: ticks / ticksPerSecond,
  };
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
