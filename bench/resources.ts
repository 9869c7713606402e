import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startPlatformProcess } from "../packages/server/src/testing/platform-process.ts";
import { fill } from "./fill.ts";
import { type LoadRequest, type LoadResult, load } from "./load/load.ts";
import { startModelServer } from "./load/model-server.ts";

/**
 * What the resources of the API cost, and whether that stays the same as an installation grows:
 * `node bench/resources.ts [seconds]`. Creates stand beside bare inserts with an fsync each, growth beside the smallest
 * installation of the same run.
 */
const seconds = Number(process.argv[2] ?? 2);
const sizes = [100, 10_000, 100_000];
const one = { connections: 1, seconds };
const many = { connections: 16, seconds };

const model = await startModelServer();
const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "bench", DEFAULT_MODEL: "scripted" };
const baseline = new Map<string, LoadResult>();

await measureLists();
for (const size of sizes) await measureGrowth(size);
await model.stop();

async function measureLists(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "weft-bench-"));
  await fill(dataDir, 50);
  const platform = await startPlatformProcess({ env, dataDir });
  const requestOf = requests(platform.port, platform.token);
  const ping = await load(requestOf("GET", "/ping"), many);
  report("list of 50 agents, 16 connections", await load(requestOf("GET", "/chatflows"), many), ping, "pings");
  const raw = measureRawInserts(join(dataDir, "raw.db"));
  const created = await load(requestOf("POST", "/variables", { name: "{{unique}}", value: "x" }), many);
  line("create variable, 16 connections", created, `${(created.perSecond / raw).toFixed(2)} × ${raw.toFixed(0)}/s raw`);
  await platform.remove();
}

async function measureGrowth(size: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "weft-bench-"));
  const { agentId, sessionId } = await fill(dataDir, size);
  const platform = await startPlatformProcess({ env, dataDir });
  const requestOf = requests(platform.port, platform.token);
  const cases: [string, LoadRequest][] = [
    ["get one agent", requestOf("GET", `/chatflows/${agentId}`)],
    ["first page of 50 agents", requestOf("GET", "/chatflows?page=1&limit=50")],
    ["first page of 50 executions", requestOf("GET", "/executions?page=1&limit=50")],
    ["executions of one agent", requestOf("GET", `/executions?agentflowId=${agentId}&page=1&limit=50`)],
    ["messages of a session with 1,000", requestOf("GET", `/chatmessage/${agentId}?sessionId=${sessionId}`)],
    ["create variable", requestOf("POST", "/variables", { name: "{{unique}}", value: "x" })],
    ["prediction", requestOf("POST", `/prediction/${agentId}`, { question: "Say hello." })],
  ];
  for (const [name, request] of cases) {
    await load(request, { connections: 1, seconds: 0.3 });
    const result = await load(request, one);
    const first = baseline.get(name) ?? result;
    baseline.set(name, first);
    const growth = `p50 ${result.p50Ms.toFixed(2)} ms, ${(result.p50Ms / first.p50Ms).toFixed(2)} × that of ${sizes[0]}`;
    line(`${name}, ${size} stored`, result, growth);
  }
  await platform.remove();
}

function requests(port: number, token: string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (method: string, path: string, body?: object): LoadRequest => ({
    port,
    method,
    path: `/api/v1${path}`,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Rows a second that a bare SQLite makes durable, one at a time. */
function measureRawInserts(path: string): number {
  const sqlite = new DatabaseSync(path);
  sqlite.exec("pragma journal_mode = wal; pragma synchronous = full; create table t (id text primary key, value text)");
  const insert = sqlite.prepare("insert into t values (?, ?)");
  const startedAt = performance.now();
  let rows = 0;
  for (; performance.now() - startedAt < seconds * 1_000; rows += 1) insert.run(randomUUID(), "x".repeat(300));
  const perSecond = (rows * 1_000) / (performance.now() - startedAt);
  sqlite.close();
  rmSync(path, { force: true });
  return perSecond;
}

function report(name: string, result: LoadResult, first: LoadResult, of: string): void {
  line(name, result, `${(result.perSecond / first.perSecond).toFixed(2)} × ${first.perSecond.toFixed(0)}/s ${of}`);
}

function line(name: string, { perSecond, p99Ms }: LoadResult, beside: string): void {
  const figure = `${perSecond.toFixed(0)}/s`.padStart(9);
  process.stdout.write(`${name.padEnd(48)} ${figure}   ${beside}; p99 ${p99Ms.toFixed(2)} ms\n`);
}
