import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { hasRedis, startTestRedis } from "../../packages/run-host/src/dispatch/testing/test-redis.ts";
import { takeBackups } from "./backups.ts";
import { checkDatabase } from "./check-database.ts";
import { fullDisk, mountSmallDisk } from "./faults/disk.ts";
import type { Fault } from "./faults/fault.ts";
import { frozenInTransaction } from "./faults/frozen-in-transaction.ts";
import { heldCommit } from "./faults/held-commit.ts";
import { poisonRun } from "./faults/poison.ts";
import {
  applicationName,
  frozenPostgres,
  frozenTransaction,
  restartedPostgres,
  terminatedConnections,
} from "./faults/postgres.ts";
import { deadLines, freeze, kill } from "./faults/processes.ts";
import { flushedRedis, frozenRedis, restartedRedis } from "./faults/redis.ts";
import { createClient } from "./house/client.ts";
import { type ClusterOptions, openCluster } from "./house/cluster.ts";
import { type Facts, noFacts } from "./house/facts.ts";
import { emptyLedger } from "./house/ledger.ts";
import { startOwnPostgres } from "./house/own-postgres.ts";
import { createRandom } from "./house/random.ts";
import { openSchema } from "./house/schema.ts";
import { startServices } from "./house/services.ts";
import { judge, tamper, type Verdict, violations } from "./judge.ts";
import { callbacks } from "./load/callbacks.ts";
import { chats } from "./load/chats.ts";
import { documents } from "./load/documents.ts";
import { notes } from "./load/notes.ts";
import type { World } from "./load/player.ts";
import { questions } from "./load/questions.ts";
import { repeats } from "./load/repeats.ts";
import { schedules } from "./load/schedules.ts";
import { streams } from "./load/streams.ts";
import { variables } from "./load/variables.ts";
import { type Extent, runCase, type Stage } from "./run-case.ts";

/** Breaks real servers while they work, and counts what that costs: `docs/chaos.md`. Exits with 1 on any violation. */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    rounds: { type: "string" },
    database: { type: "string" },
    postgres: { type: "string" },
    processes: { type: "string", default: "2" },
    seed: { type: "string" },
    only: { type: "string" },
    break: { type: "string" },
    ci: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
/** `seconds` of a case of the short form: with the quiet time after each, three minutes in all. */
const ciSeconds = 10;
const loads = [chats, repeats, notes, questions, streams, variables, documents, schedules, callbacks];
const processFaults = [kill, freeze];
const redisFaults = [flushedRedis, restartedRedis, frozenRedis];
const postgresFaults = [
  terminatedConnections,
  frozenTransaction,
  frozenInTransaction,
  heldCommit,
  restartedPostgres,
  frozenPostgres,
  deadLines,
  poisonRun,
];

type Row = { name: string; facts: Facts; verdict: Verdict };
const rows: Row[] = [];

if (values.break !== undefined && !(violations as readonly string[]).includes(values.break)) {
  throw new Error(`--break takes one of ${violations.join(", ")}.`);
}
console.log(`seed ${seed}`);
console.log("clock jumps: left out, the servers have no hook for their clock; unit tests move an injected one");
if (["sqlite", undefined].includes(values.database)) await attackSqlite();
if (["postgres", undefined].includes(values.database)) await attackPostgres();
if (["cluster", undefined].includes(values.database)) await attackCluster();
report();

async function attackSqlite(): Promise<void> {
  await campaign({ name: "sqlite", databaseUrl: "", members: [{}] }, chosen(processFaults));
  if (chosen([fullDisk]).length === 0) return;
  const disk = await mountSmallDisk(96);
  if (disk === undefined) return console.log("full disk: left out, only root may mount a small disk");
  try {
    await campaign({ name: "sqlite", databaseUrl: "", members: [{}], dataDir: disk.path }, [fullDisk]);
  } finally {
    await disk.remove();
  }
}

async function attackPostgres(): Promise<void> {
  const members = Array.from({ length: Number(values.processes) }, () => ({}));
  const faults = chosen([...processFaults, ...postgresFaults]);
  // In the short form processes are killed in the cluster.
  await onPostgres({ members }, values.ci && hasRedis() ? faults.filter((fault) => fault !== kill) : faults);
}

/** Processes that serve clients, and processes that work, with Redis between them. */
async function attackCluster(): Promise<void> {
  if (!hasRedis()) return console.log("cluster: left out, redis-server is not installed");
  const endings: (() => Promise<void>)[] = [];
  const redis = await startTestRedis({ after: (end) => void endings.push(end as () => Promise<void>) });
  const worker = { ROLE: "worker", WORKER_CONCURRENCY: "8" };
  const members = [{ ROLE: "api" }, { ROLE: "api" }, worker, worker, worker];
  try {
    await onPostgres({ members, redis }, chosenForCluster());
  } finally {
    for (const end of endings) await end();
  }
}

function chosenForCluster(): Fault[] {
  const all = [...processFaults, ...postgresFaults, ...redisFaults];
  return values.ci && values.only === undefined ? [kill, restartedRedis] : chosen(all);
}

async function onPostgres(options: Pick<ClusterOptions, "members" | "redis">, faults: readonly Fault[]): Promise<void> {
  const own = values.postgres === undefined ? await startOwnPostgres() : undefined;
  const url = own?.url ?? values.postgres;
  if (url === undefined) return console.log("PostgreSQL: left out, it is not installed; name a server with --postgres");
  const schema = await openSchema(url, applicationName);
  try {
    const name = options.redis === undefined ? "postgres" : "cluster";
    await campaign({ ...options, name, databaseUrl: schema.url, postgres: own }, faults);
  } finally {
    await schema.remove();
    await own?.close();
  }
}

/** Faults that the arguments name; with rounds and for CI fewer. */
function chosen(faults: readonly Fault[]): Fault[] {
  const words = values.only?.split(",") ?? (values.rounds === undefined ? undefined : [kill.name]);
  if (words !== undefined) return faults.filter(({ name }) => words.some((word) => name.includes(word)));
  return values.ci
    ? faults.filter((fault) =>
        [kill, freeze, terminatedConnections, frozenInTransaction, heldCommit, restartedPostgres].includes(fault),
      )
    : [...faults];
}

function extentOf(cases: number): Extent {
  if (values.rounds !== undefined) return { rounds: Number(values.rounds) };
  if (values.ci) return { seconds: ciSeconds };
  const campaigns = values.database === undefined ? 3 : 1;
  return { seconds: (Number(values.minutes) * 60) / campaigns / cases };
}

/** All faults on the same servers, one kind after the other, and a look at their database at the end. */
async function campaign(options: Omit<ClusterOptions, "env">, faults: readonly Fault[]): Promise<void> {
  if (faults.length === 0) return;
  const random = createRandom(seed);
  const services = await startServices(random);
  const env = {
    OPENAI_BASE_URL: services.modelUrl,
    EGRESS_ALLOW: services.hosts.join(","),
    MIN_SCHEDULE_INTERVAL_SECONDS: "1",
    PUBLIC_RATE_LIMIT: "0",
  };
  const cluster = await openCluster({ ...options, env });
  const faultTimes: number[] = [];
  const client = createClient({ cluster, random, faultTimes, onRecovery: (ms) => world.facts.recoveries.push(ms) });
  const world: World = { cluster, services, random, client, facts: noFacts(), ledger: emptyLedger() };
  const backups = await takeBackups(cluster, world.ledger, env);
  try {
    const players: Stage["players"][number][] = [];
    for (const { weight, prepare } of loads) players.push({ player: await prepare(world), weight });
    for (const fault of faults) {
      const why = fault.whyNot?.(cluster);
      if (why !== undefined) {
        console.log(`${fault.name}: left out, ${why}`);
        continue;
      }
      const facts = await runCase({ world, players, faultTimes }, fault, extentOf(faults.length));
      note(`${cluster.name}, ${fault.name}`, facts);
    }
    await backups.stop();
    await cluster.stop();
    const { taken, brokenOff } = backups.count();
    console.log(`${cluster.name}: ${taken} backups were taken, a fault broke ${brokenOff} off`);
    noteAtEnd("broken", await checkDatabase(cluster));
    noteAtEnd("backups", await backups.verify(values.ci ? 1 : taken));
  } finally {
    await backups.stop();
    await cluster.close();
    await backups.close();
    await services.close();
  }
}

/** What is found when all cases of a campaign are over. */
function noteAtEnd(kind: "broken" | "backups", found: readonly string[]): void {
  const last = rows.at(-1);
  last?.facts[kind].push(...found);
  last?.verdict[kind].push(...found);
  for (const sentence of found) console.log(`  ${kind}: ${sentence}`);
}

function note(name: string, facts: Facts): void {
  if (values.break !== undefined && rows.length === 0) tamper(facts, values.break);
  const verdict = judge(facts);
  rows.push({ name, facts, verdict });
  console.log(`${name}: ${facts.faults} faults, ${facts.operations} operations, ${countOf(verdict)} violations`);
  for (const kind of violations) for (const sentence of verdict[kind]) console.log(`  ${kind}: ${sentence}`);
}

function countOf(verdict: Verdict): number {
  return violations.reduce((sum, kind) => sum + verdict[kind].length, 0);
}

function report(): void {
  const table = rows.map(({ name, facts, verdict }) => {
    const times = facts.recoveries.toSorted((a, b) => a - b);
    const at = (share: number) => seconds(times[Math.min(times.length - 1, Math.floor(times.length * share))]);
    return {
      case: name,
      faults: facts.faults,
      operations: facts.operations,
      runs: facts.runs.length,
      ...Object.fromEntries(violations.map((kind) => [kind, verdict[kind].length])),
      "broken off": times.length,
      "p99 s": at(0.99),
      "longest s": at(1),
    };
  });
  console.table(table);
  const count = rows.reduce((sum, { verdict }) => sum + countOf(verdict), 0);
  // Again, since of a long log only the end may be kept.
  for (const { name, verdict } of rows) {
    const sentences = violations.flatMap((kind) => verdict[kind].map((sentence) => `${kind}: ${sentence}`));
    for (const sentence of sentences.slice(0, 5)) console.log(`${name}, ${sentence.slice(0, 300)}`);
  }
  const isEmpty = rows.length === 0;
  console.log(`seed ${seed}: ${isEmpty ? "nothing was tried" : `${count} violations`}`);
  process.exitCode = count === 0 && !isEmpty ? 0 : 1;
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? "-" : (ms / 1_000).toFixed(1);
}
