import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../packages/server/src/testing/free-port.ts";

/** A PostgreSQL server that belongs to this run alone, so that it may be stopped and frozen. */
export type OwnPostgres = {
  url: string;
  /** Ends every process of the server at once, and starts it again: it recovers from its log. */
  restart(): void;
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
};

/** Undefined where PostgreSQL's programs are not installed. */
export async function startOwnPostgres(): Promise<OwnPostgres | undefined> {
  const bin = globSync("/usr/lib/postgresql/*/bin").sort().at(-1);
  if (bin === undefined || !existsSync(join(bin, "initdb"))) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "weft-chaos-postgres-"));
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root.
  if (isRoot) chownSync(folder, ...ownerOf("postgres"));
  const run = (program: string, ...args: string[]) => {
    const [command, all] = isRoot
      ? ["runuser", ["-u", "postgres", "--", join(bin, program), ...args]]
      : [join(bin, program), args];
    execFileSync(command, all as string[], { stdio: "ignore", cwd: folder });
  };
  const data = join(folder, "data");
  // Without a locale in its environment it would make databases of another encoding.
  run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
  // Its processes end, and the machine goes on: nothing needs a disk, which others may keep busy for minutes.
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 -c fsync=off`;
  const log = join(folder, "log");
  const control = (...args: string[]) => {
    try {
      run("pg_ctl", "-D", data, "-w", "-t", "300", "-l", log, ...args);
    } catch (cause) {
      throw new Error(`PostgreSQL does not ${args.at(-1)}. It wrote:\n${tailOf(log)}`, { cause });
    }
  };
  control("-o", options, "start");

  const postmaster = () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  const signal = (name: "SIGSTOP" | "SIGCONT") => {
    const own = postmaster();
    for (const pid of [own, ...childrenOf(own)]) {
      try {
        process.kill(pid, name);
      } catch {
        // A backend that ended meanwhile.
      }
    }
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: () => control("-m", "immediate", "-o", options, "restart"),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    async close() {
      signal("SIGCONT");
      control("-m", "immediate", "stop");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function tailOf(log: string): string {
  return existsSync(log) ? readFileSync(log, "utf8").slice(-2_000) : "";
}

function ownerOf(user: string): [uid: number, gid: number] {
  const id = (flag: string) => Number(spawnSync("id", [flag, user]).stdout.toString());
  return [id("-u"), id("-g")];
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) === parent;
    } catch {
      return false;
    }
  });
}
