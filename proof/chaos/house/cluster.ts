import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type HeldConnection,
  type SilentProxy,
  startSilentProxy,
} from "../../../packages/database/src/testing/silent-proxy.ts";
import type { TestRedis } from "../../../packages/run-host/src/dispatch/testing/test-redis.ts";
import { freePort } from "../../../packages/server/src/testing/free-port.ts";
import { type PlatformProcess, startPlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";
import type { OwnPostgres } from "./own-postgres.ts";

/** Real servers on one database. */
export type Cluster = {
  readonly name: "sqlite" | "postgres" | "cluster";
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** The database server, where it is ours to disturb. */
  readonly postgres: OwnPostgres | undefined;
  /** What the processes tell each other through, where they do. */
  readonly redis: TestRedis | undefined;
  readonly token: string;
  /** Addresses of the servers that clients may ask, those that are down at this moment included. */
  readonly urls: readonly string[];
  readonly count: number;
  /** Processes by their places. */
  pids(): number[];
  /** The name under which the server of this place connects to PostgreSQL. */
  connectionName(index: number): string;
  /** Lets the lines of a server to PostgreSQL and Redis go dead. Connections that it makes later work. */
  silence(index: number): void;
  /**
   * Holds back the commit of the next transaction of a server that says this, and with it as much of the transaction as
   * was not sent before. The server goes on. Undefined when `signal` aborts before, and with SQLite.
   */
  holdCommit(index: number, saying: string, signal: AbortSignal): Promise<HeldConnection | undefined>;
  kill(index: number): Promise<void>;
  /** Starts the server of this place again. */
  start(index: number): Promise<void>;
  freeze(index: number): void;
  thaw(index: number): void;
  /** Places whose server ended by itself, with what it wrote last. */
  findEnded(): { index: number; output: string }[];
  /** What the servers, earlier ones included, logged of a request; undefined when they logged nothing. */
  findLog(requestId: string): string | undefined;
  /** A request to the first server; rejects when the answer is not 2xx. */
  call: PlatformProcess["call"];
  /** Stops the servers in good order, so that the database can be looked at. */
  stop(): Promise<void>;
  close(): Promise<void>;
};

export type ClusterOptions = {
  name: Cluster["name"];
  databaseUrl: string;
  postgres?: OwnPostgres | undefined;
  dataDir?: string | undefined;
  redis?: TestRedis | undefined;
  /** The settings of each process, beside those of all. Workers serve no client. */
  members: readonly Record<string, string>[];
  env: Record<string, string>;
};

export async function openCluster({
  name,
  databaseUrl,
  postgres,
  redis,
  members: settings,
  ...options
}: ClusterOptions): Promise<Cluster> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "weft-chaos-")));
  const lines = await Promise.all(settings.map(() => openLines(databaseUrl, redis)));
  const ports = await Promise.all(settings.map(() => freePort()));
  const members: PlatformProcess[] = [];
  const started: PlatformProcess[] = [];
  let token: string | undefined;
  const down = new Set<number>();

  const connectionName = (index: number) => `${nameOf(databaseUrl)}-${index}`;

  async function start(index: number): Promise<void> {
    const port = ports[index];
    if (port === undefined) throw new Error(`Server ${index} does not exist.`);
    const [database, queue] = lines[index] ?? [];
    const servers = {
      DATABASE_URL: nameConnections(database?.url ?? databaseUrl, connectionName(index)),
      ...(queue && { REDIS_URL: queue.url }),
    };
    const env = { ...options.env, ...servers, ...settings[index] };
    const member = await startPlatformProcess({ env, dataDir, port, ...(token !== undefined && { token }) });
    token ??= member.token;
    members[index] = member;
    started.push(member);
    down.delete(index);
  }

  const at = (index: number) => {
    const member = members[index];
    if (member === undefined) throw new Error(`Server ${index} does not exist.`);
    return member;
  };

  for (const index of ports.keys()) await start(index);
  return {
    name,
    databaseUrl,
    dataDir,
    postgres,
    redis,
    token: token ?? "",
    urls: ports.flatMap((port, index) =>
      settings[index]?.ROLE === "worker" ? [] : [`http://127.0.0.1:${port}/api/v1`],
    ),
    count: settings.length,
    pids: () => members.map(({ pid }) => pid),
    connectionName,
    silence(index) {
      for (const line of lines[index] ?? []) line.silence();
    },
    async holdCommit(index, saying, signal) {
      const [database] = lines[index] ?? [];
      return database?.hold((sent) => (sent.includes(commit) ? sent.includes(saying) || "forget" : false), signal);
    },
    async kill(index) {
      down.add(index);
      await at(index).kill("SIGKILL");
    },
    start,
    freeze: (index) => at(index).freeze(),
    thaw: (index) => at(index).thaw(),
    findEnded: () =>
      members.flatMap((member, index) =>
        member.hasEnded() && !down.has(index) ? [{ index, output: member.output().slice(-2_000) }] : [],
      ),
    findLog(requestId) {
      const lines = started.flatMap((member) => member.output().split("\n"));
      return lines.find((line) => line.includes(requestId));
    },
    call: (...request) => at(0).call(...request),
    async stop() {
      await Promise.all(members.map((member) => member.kill("SIGTERM")));
    },
    async close() {
      await Promise.all(members.map((member) => member.kill("SIGKILL")));
      for (const line of lines.flat()) line.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** As PostgreSQL's protocol has the text of this statement, which is never prepared. */
const commit = "commit\0";

/** The name that a database's address gives to connections; empty for SQLite. */
function nameOf(databaseUrl: string): string {
  return databaseUrl === "" ? "" : (new URL(databaseUrl).searchParams.get("application_name") ?? "");
}

function nameConnections(databaseUrl: string, name: string): string {
  if (databaseUrl === "") return databaseUrl;
  const url = new URL(databaseUrl);
  url.searchParams.set("application_name", name);
  return url.href.replaceAll("+", "%20");
}

/** What stands between one server and PostgreSQL, and Redis where there is one: nothing with SQLite. */
async function openLines(databaseUrl: string, redis: TestRedis | undefined): Promise<SilentProxy[]> {
  if (databaseUrl === "") return [];
  const database = await startSilentProxy(databaseUrl, 5432);
  return redis === undefined ? [database] : [database, await startSilentProxy(redis.url, 6379)];
}
