import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../packages/database/src/open-database.ts";
import { runCli } from "../../packages/server/src/cli/testing/run-cli.ts";
import { startPlatformProcess } from "../../packages/server/src/testing/platform-process.ts";
import { checkDatabase } from "./check-database.ts";
import type { Cluster } from "./house/cluster.ts";
import { copyLedger, type Ledger } from "./house/ledger.ts";
import { createDatabase } from "./house/schema.ts";

/** Backups that are taken while everything works and breaks. */
export type Backups = {
  /** Takes no more. Resolves when the one under way is done. */
  stop(): Promise<void>;
  /** Restores them, and says of each what is wrong with it. `most`: the last so many. */
  verify(most: number): Promise<string[]>;
  /** How many were taken, and how many a fault of PostgreSQL broke off. */
  count(): { taken: number; brokenOff: number };
  close(): Promise<void>;
};

type Backup = { folder: string; before: Ledger };

const everyMs = 10_000;
/** Where the commands find the programs of PostgreSQL. */
const programs = { PATH: process.env.PATH ?? "" };
const patienceMs = 60_000;

export async function takeBackups(cluster: Cluster, ledger: Ledger, env: Record<string, string>): Promise<Backups> {
  const root = await mkdtemp(join(tmpdir(), "weft-chaos-backups-"));
  const taken: Backup[] = [];
  const problems: string[] = [];
  const over = new AbortController();
  let brokenOff = 0;

  async function takeOne(): Promise<void> {
    const before = copyLedger(ledger);
    const folder = join(root, `${taken.length + brokenOff}`);
    const place = { DATABASE_URL: cluster.databaseUrl, DATA_DIR: cluster.dataDir };
    const { exitCode, stderr } = await runCli("backup", { args: [folder], env: { ...programs, ...place } });
    if (exitCode === 0) taken.push({ folder, before });
    // Nothing but a fault of its own keeps PostgreSQL from being dumped; SQLite's file is always there.
    else if (cluster.name !== "sqlite") brokenOff += 1;
    else problems.push(`The backup ${folder} was not made: ${stderr.trim()}`);
  }

  async function takeAll(): Promise<void> {
    while (!over.signal.aborted) {
      await takeOne();
      await sleep(everyMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  }

  const taking = takeAll();
  return {
    async stop() {
      over.abort();
      await taking;
    },
    async verify(most) {
      for (const [index, { folder, before }] of [...taken.entries()].slice(-most)) {
        const database = cluster.databaseUrl === "" ? undefined : await createDatabase(cluster.databaseUrl, index);
        const place = { name: cluster.name, dataDir: `${folder}-restored`, databaseUrl: database?.url ?? "" };
        const found = await findProblems({ folder, before }, place, env).catch((error: unknown) => [String(error)]);
        problems.push(...found.map((problem) => `The backup ${index}: ${problem}`));
        await database?.remove();
        await rm(place.dataDir, { recursive: true, force: true });
      }
      return problems;
    },
    count: () => ({ taken: taken.length, brokenOff }),
    close: () => rm(root, { recursive: true, force: true }),
  };
}

type Place = Pick<Cluster, "name" | "databaseUrl" | "dataDir">;

/** Restores a backup, lets a server end what was not finished, and compares it with what was promised before. */
async function findProblems({ folder, before }: Backup, place: Place, env: Record<string, string>): Promise<string[]> {
  const own = { DATABASE_URL: place.databaseUrl, DATA_DIR: place.dataDir };
  const restored = await runCli("restore", { args: [folder], env: { ...programs, ...own } });
  if (restored.exitCode !== 0) return [`it was not restored: ${restored.stderr.trim()}`];
  const server = await startPlatformProcess({ dataDir: place.dataDir, env: { ...env, ...own } });
  const problems: string[] = [];
  try {
    const until = performance.now() + patienceMs;
    const running = () => server.call<{ total: number }>("GET", "/executions?state=INPROGRESS&page=1&limit=1");
    while ((await running()).total > 0) {
      if (performance.now() > until) return ["runs that were not finished do not end"];
      await sleep(200);
    }
  } finally {
    await server.kill("SIGTERM");
  }
  problems.push(...(await checkDatabase(place)), ...(await findMissing(place, before)));
  return problems;
}

async function findMissing({ databaseUrl, dataDir }: Place, { runs, variables }: Ledger): Promise<string[]> {
  const database = await openDatabase({ databaseUrl, dataDir });
  try {
    const knownRuns = new Set((await database.read.selectFrom("runs").select("id").execute()).map(({ id }) => id));
    const rows = await database.read.selectFrom("variables").select(["id", "value"]).execute();
    const values = new Map(rows.map(({ id, value }) => [id, Number(value)]));
    return [
      ...[...runs].filter((id) => !knownRuns.has(id)).map((id) => `the run ${id} is missing`),
      ...[...variables]
        .filter(([id, value]) => (values.get(id) ?? -1) < value)
        .map(([id, value]) => `the variable ${id} had the value ${value} and has ${values.get(id)}`),
    ];
  } finally {
    await database.close();
  }
}
