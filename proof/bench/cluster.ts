import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startTestRedis } from "../../packages/run-host/src/dispatch/testing/test-redis.ts";
import { type PlatformProcess, startPlatformProcess } from "../../packages/server/src/testing/platform-process.ts";
import { load } from "./load/load.ts";
import { readCpuTime, readMachineMs } from "./load/threads.ts";
import { createAgent, flowOf } from "./weft/agents.ts";
import { createPostgresDatabase } from "./weft/postgres-database.ts";
import { predictionOf } from "./weft/requests.ts";

/**
 * Many processes on one PostgreSQL and a Redis of its own: `node proof/bench/cluster.ts --postgres URL [--only WORDS]`.
 * - throughput: runs that wait 200 ms for their model, with 1, 2, 4 and 8 workers of 8 places, by both ways of dispatch,
 *   beside the ideal of 40 for each worker.
 * - cpu: processor time of a run whose model takes no time, beside that of one process alone.
 * - fairness: how soon a run begins, behind 2,000 runs of another agent.
 * - tokens: from the model server to a client of another process.
 * - unwoken: how soon a run begins when no wake-up comes, because Redis is gone.
 * Model, clients, database and all processes share the machine: `machine` says how many of its cores were busy.
 */
const { values } = parseArgs({
  options: {
    postgres: { type: "string", default: process.env.TEST_POSTGRES_URL ?? "" },
    only: { type: "string", default: "throughput,cpu,fairness,tokens,unwoken" },
    workers: { type: "string", default: "1,2,4,8" },
    seconds: { type: "string", default: "8" },
  },
});
if (values.postgres === "") {
  process.stderr.write("Name a PostgreSQL server: --postgres postgres://user@host/database, or TEST_POSTGRES_URL.\n");
  process.exit(2);
}
const places = 8;
const modelMs = 200;
const perWorker = (places * 1_000) / modelMs;
const seconds = Number(values.seconds);
const tokens = 50;
const api = { ROLE: "api" };
const worker = { ROLE: "worker", WORKER_CONCURRENCY: String(places) };

const endings: (() => unknown)[] = [];
const model = await startModel();
const redis = await startTestRedis({ after: (end) => void endings.push(end as () => unknown) });
try {
  if (values.only.includes("throughput")) await measureThroughput();
  if (values.only.includes("cpu")) await measureCpu();
  if (values.only.includes("fairness")) await measureFairness();
  if (values.only.includes("tokens")) await measureTokens();
  if (values.only.includes("unwoken")) await measureUnwoken();
} finally {
  for (const end of endings.reverse()) await end();
}
process.exit();

async function measureThroughput(): Promise<void> {
  for (const withRedis of [false, true]) {
    for (const count of values.workers.split(",").map(Number)) {
      const workers = Array.from({ length: count }, () => worker);
      const result = await withCluster([api, ...workers], withRedis, measureRuns);
      const share = ((100 * result.perSecond) / (count * perWorker)).toFixed(0);
      say(`${nameOf(withRedis)}, ${count} workers: ${describe(result)}, ${share} % of ideal`);
    }
  }
}

async function measureCpu(): Promise<void> {
  model.delay(0);
  const alone = [{}];
  const cluster = [api, { ...worker, WORKER_CONCURRENCY: "64" }];
  const one = await withCluster(alone, false, measureRuns);
  say(`one process, no delay: ${describe(one)}`);
  for (const [name, members, withRedis] of [
    ["BullMQ, both roles in one process", alone, true],
    ["database, api and worker", cluster, false],
    ["BullMQ, api and worker", cluster, true],
  ] as const) {
    const result = await withCluster(members, withRedis, measureRuns);
    const ratio = (result.cpuMs / one.cpuMs).toFixed(2);
    say(`${name}, no delay: ${describe(result)}, CPU ${ratio} × of one process`);
  }
  model.delay(modelMs);
}

type Runs = { perSecond: number; cpuMs: number; cores: number };

async function measureRuns(members: readonly PlatformProcess[]): Promise<Runs> {
  const [door] = members;
  if (door === undefined) throw new Error("A cluster has a first process.");
  const agentId = await createAgent(door, "Waits", flowOf("llm", { messages: [{ role: "user", content: "wait" }] }));
  const request = predictionOf({ port: door.port, key: door.token }, agentId);
  const connections = Math.max(1, members.length - 1) * places * 2;
  await load(request, { connections, seconds: 3 });
  const [cpuBefore, machineBefore, startedAt] = [cpuOf(members), readMachineMs(), performance.now()];
  const { perSecond, count } = await load(request, { connections, seconds });
  const cores = (readMachineMs() - machineBefore) / (performance.now() - startedAt);
  return { perSecond, cores, cpuMs: (cpuOf(members) - cpuBefore) / count };
}

function cpuOf(members: readonly PlatformProcess[]): number {
  return members.reduce((sum, { pid }) => sum + readCpuTime(pid).allMs, 0);
}

function describe({ perSecond, cpuMs, cores }: Runs): string {
  return `${perSecond.toFixed(1)} runs/s, ${cpuMs.toFixed(2)} ms CPU a run, machine ${cores.toFixed(2)} cores`;
}

async function measureFairness(): Promise<void> {
  const crowd = 2_000;
  for (const withRedis of [false, true]) {
    const waits = await withCluster([api, worker], withRedis, async ([door]) => {
      if (door === undefined) return [];
      const flow = flowOf("llm", { messages: [{ role: "user", content: "wait" }] });
      const [many, few] = [await createAgent(door, "Many", flow), await createAgent(door, "Few", flow)];
      const abort = new AbortController();
      const asking = Array.from({ length: crowd }, () => ask(door, many, abort.signal).catch(() => undefined));
      await untilWaiting(door, 0.8 * crowd);
      const found = await timeToModel(door, few);
      abort.abort();
      await Promise.all(asking);
      return found;
    });
    say(`${nameOf(withRedis)}, behind ${crowd} runs of another agent: from request to model ${percentiles(waits)}`);
  }
}

/** Milliseconds from a request to its model call, of 20 in turn. */
async function timeToModel(door: PlatformProcess, agentId: string): Promise<number[]> {
  const found: number[] = [];
  for (let sample = 0; sample < 20; sample += 1) {
    const mark = `mark-${sample}`;
    const begun = model.begins(mark);
    const askedAt = performance.now();
    const answer = ask(door, agentId, new AbortController().signal, mark);
    found.push((await begun) - askedAt);
    await answer;
  }
  return found;
}

async function measureUnwoken(): Promise<void> {
  const waits = await withCluster([api, worker], true, async ([door]) => {
    if (door === undefined) return [];
    const agentId = await createAgent(door, "Alone", flowOf("llm", { messages: [{ role: "user", content: "wait" }] }));
    await redis.kill();
    return timeToModel(door, agentId);
  });
  say(`BullMQ, Redis is gone: from request to model ${percentiles(waits)}`);
}

async function untilWaiting(door: PlatformProcess, least: number): Promise<void> {
  for (;;) {
    const { total } = await door.call<{ total: number }>("GET", "/executions?state=INPROGRESS&limit=1");
    if (total >= least) return;
    await sleep(50);
  }
}

/** A question; its text reaches the model, which tells by it when the run began. */
async function ask(door: PlatformProcess, agentId: string, signal: AbortSignal, question = "hi"): Promise<unknown> {
  const response = await fetch(`${door.url}/api/v1/prediction/${agentId}`, {
    method: "POST",
    signal,
    headers: { authorization: `Bearer ${door.token}`, "content-type": "application/json" },
    body: JSON.stringify({ question }),
  });
  return response.json();
}

async function measureTokens(): Promise<void> {
  const streams = 8;
  for (const [name, members, withRedis] of [
    ["one process", [{}], false],
    ["BullMQ, api and worker", [api, worker], true],
  ] as const) {
    const delays = await withCluster(members, withRedis, async ([door]) => {
      if (door === undefined) return [];
      const id = await createAgent(door, "Tells", flowOf("llm", { messages: [{ role: "user", content: "tell" }] }));
      await stream(door, id);
      return (await Promise.all(Array.from({ length: streams }, () => stream(door, id)))).flat();
    });
    say(`${name}, ${streams} streams, ${delays.length} tokens: model to client ${percentiles(delays)}`);
  }
}

/** Milliseconds that each token of an answer took, which is the moment at which it was sent. */
async function stream(door: PlatformProcess, agentId: string): Promise<number[]> {
  const socket = connect({ port: door.port, host: "127.0.0.1", noDelay: true });
  const body = JSON.stringify({ question: "tell", streaming: true });
  socket.write(
    `POST /api/v1/prediction/${agentId} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${door.token}\r\n` +
      `content-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const delays: number[] = [];
  let text = "";
  let taken = 0;
  for await (const chunk of socket) {
    const now = performance.now();
    text += String(chunk);
    for (const [, sentAt] of text.slice(taken).matchAll(/"event":"token","data":"@(\d+\.\d+) "/g)) {
      delays.push(now - Number(sentAt));
      taken = text.length;
    }
  }
  if (delays.length < tokens / 2) throw new Error(`Few tokens came: ${text.slice(0, 400)}`);
  return delays;
}

/** Answers after a while; for "tell" with tokens that say when they were sent. */
async function startModel() {
  const begins = new Map<string, (at: number) => void>();
  let delayMs = modelMs;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request as IncomingMessage) text += String(chunk);
    for (const [mark, begun] of begins) if (text.includes(`${mark}"`)) begun(performance.now());
    const isStream = text.includes('"stream":true');
    if (isStream && text.includes('"tell"')) return tell(response);
    if (delayMs > 0) await sleep(delayMs);
    if (isStream) return endStream(response, "done");
    const message = { role: "assistant", content: "done" };
    response.setHeader("content-type", "application/json");
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.end(JSON.stringify({ id: "c", choices: [{ index: 0, message, finish_reason: "stop" }], usage }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    delay(ms: number) {
      delayMs = ms;
    },
    begins: (mark: string) => new Promise<number>((resolve) => begins.set(mark, resolve)),
  };
}

async function tell(response: ServerResponse): Promise<void> {
  for (let token = 0; token < tokens; token += 1) {
    write(response, `@${performance.now().toFixed(3)} `);
    await sleep(20);
  }
  endStream(response, "done");
}

function write(response: ServerResponse, content: string): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content } }] })}\n\n`);
}

function endStream(response: ServerResponse, content: string): void {
  write(response, content);
  const end = { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
}

async function withCluster<T>(
  members: readonly Record<string, string>[],
  withRedis: boolean,
  use: (members: readonly PlatformProcess[]) => Promise<T>,
): Promise<T> {
  const database = await createPostgresDatabase(values.postgres);
  const common = {
    DATABASE_URL: database.url,
    ...(withRedis && { REDIS_URL: redis.url }),
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "bench",
    DEFAULT_MODEL: "scripted",
    MAX_QUEUED_RUNS: "10000",
    MAX_CONNECTIONS_PER_ADDRESS: "0",
  };
  const started: PlatformProcess[] = [];
  try {
    for (const env of members) {
      const [first] = started;
      const shared = first && { dataDir: first.dataDir, token: first.token };
      started.push(await startPlatformProcess({ env: { ...common, ...env }, ...shared }));
    }
    return await use(started);
  } finally {
    for (const member of started.toReversed()) await member.kill("SIGTERM");
    await started[0]?.remove();
    await database.drop();
  }
}

function percentiles(list: readonly number[]): string {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

function nameOf(withRedis: boolean): string {
  return withRedis ? "BullMQ" : "database";
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
