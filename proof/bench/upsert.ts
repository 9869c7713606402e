import { fork } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { createScriptedEmbeddingServer } from "@weft/providers/testing";
import type { DocumentStore, UpsertResult } from "@weft/schema";
import { openTestStorage } from "../../packages/database/src/testing/test-databases.ts";
import { type PlatformProcess, startPlatformProcess } from "../../packages/server/src/testing/platform-process.ts";
import { longText, type StreamedFile, streamForm } from "../../packages/server/src/testing/stream-form.ts";

/**
 * A real server that upserts chunks, embedded by a scripted server (384 numbers each), into its embedded store; the same
 * again; after a restart questions to them, one at a time and 16 at once; and after another one uploads of text: twice 49 MB, 95 MB and 200 MB. Beside
 * each: how the server answers pings meanwhile, and its memory before and at most. `node proof/bench/upsert.ts [sqlite|postgres|both] [chunks]`, by default
 * 10,000 on both. PostgreSQL is that of TEST_POSTGRES_URL.
 *
 * `node proof/bench/upsert.ts embedded [chunks]` upserts chunks of some 774 characters of this project's documentation, by default
 * 5,100, with the embedded model, on SQLite.
 */
const kind = process.argv[2] ?? "both";
const passages = Number(process.argv[3] ?? (kind === "embedded" ? 5_100 : 10_000));
/** As many of the embedded model's as a text may hold that is sent directly. */
const passagesAtOnce = 2_000;
const questions = 400;
const mib = 1_024 ** 2;

if (kind === "embedded") await measureEmbedded();
for (const dialect of ["sqlite", "postgres"] as const) if (kind === dialect || kind === "both") await measure(dialect);

async function measure(dialect: "sqlite" | "postgres"): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  const { databaseUrl, dataDir } = await openTestStorage(dialect, { after: (stop) => void stops.push(stop) });
  const model = await createScriptedEmbeddingServer({ record: false });
  const env = { DATABASE_URL: databaseUrl, OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, BODY_LIMIT: "200mb" };
  let server = await startPlatformProcess({ env, dataDir });
  try {
    process.stdout.write(`${dialect}, load ${loadavg()[0]?.toFixed(1)}, idle ${megabytes(server)} MB\n`);
    const filler = "lorem ipsum dolor sit amet ".repeat(passages > 20_000 ? 6 : 7);
    const text = Array.from({ length: passages }, (_, index) => `Passage number ${index}. ${filler}`).join("\n\n");
    const body = {
      loader: { name: "plain-text", config: { text } },
      splitter: { name: "recursive-character", config: { chunkSize: 220, chunkOverlap: 0 } },
    };
    const storeId = await newStore(server);
    const path = `/document-store/upsert/${storeId}`;
    await report(server, "upsert", () => server.call<UpsertResult>("POST", path, body));
    await report(server, "the same again", () => server.call<UpsertResult>("POST", path, body));
    await server.kill("SIGTERM");
    server = await startPlatformProcess({ env, dataDir });
    await ask(server, storeId);
    await server.kill("SIGTERM");
    // The first large upload after a start grows what later ones find.
    server = await startPlatformProcess({ env, dataDir });
    for (const megabytes of [49, 49, 95, 200]) {
      const store = await newStore(server);
      await report(server, `a file of ${megabytes} MB`, () =>
        upload(server, store, [
          { name: "note.txt", bytes: [Buffer.from("Refunds take five days.")] },
          { name: "long.txt", bytes: longText(megabytes * mib) },
        ]),
      );
    }
  } finally {
    await server.kill("SIGTERM");
    await model.close();
    for (const stop of stops) await stop();
  }
}

async function measureEmbedded(): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  const { dataDir } = await openTestStorage("sqlite", { after: (stop) => void stops.push(stop) });
  const server = await startPlatformProcess({ dataDir });
  try {
    process.stdout.write(`the embedded model, load ${loadavg()[0]?.toFixed(1)}, idle ${megabytes(server)} MB\n`);
    const { id } = await server.call<DocumentStore>("POST", "/document-store/store", { name: "Bench" });
    const upsert = (text: string) => {
      const splitter = { name: "character", config: { separator: "\n\n\n", chunkSize: 1_000, chunkOverlap: 0 } };
      const loader = { name: "plain-text", config: { text } };
      return server.call<UpsertResult>("POST", `/document-store/upsert/${id}`, { loader, splitter });
    };
    // The model is opened, and the times below are those of embedding.
    await upsert("The first passage.");
    const before = cpuSeconds(server.pid);
    await report(server, "upsert", async () => {
      const all = toPassages(passages);
      const sum = { numAdded: 0, numSkipped: 0, failed: [] as UpsertResult["failed"] };
      for (let start = 0; start < all.length; start += passagesAtOnce) {
        const { numAdded, numSkipped, failed } = await upsert(all.slice(start, start + passagesAtOnce).join("\n\n\n"));
        sum.numAdded += numAdded;
        sum.numSkipped += numSkipped;
        sum.failed.push(...failed);
      }
      return sum;
    });
    const own = cpuSeconds(server.pid).map((seconds, index) => (seconds - (before[index] ?? 0)).toFixed(1));
    process.stdout.write(`CPU seconds      server ${own[0]}, model ${own[1]}\n`);
  } finally {
    await server.kill("SIGTERM");
    for (const stop of stops) await stop();
  }
}

/** Of a process and of the one that it started, in seconds of CPU time. */
function cpuSeconds(pid: number): number[] {
  const [child = ""] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  const ticksPerSecond = 100;
  return [String(pid), child].map((one) => {
    const [, rest = ""] = readFileSync(`/proc/${one}/stat`, "utf8").split(") ");
    const fields = rest.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  });
}

/** Passages of the documentation, each with its number, so that none is another's repetition. */
function toPassages(count: number): string[] {
  const root = new URL("../..", import.meta.url);
  const files = globSync("docs/**/*.md", { cwd: root }).sort();
  const text = files.map((file) => readFileSync(new URL(file, root), "utf8").replaceAll(/\s+/g, " ")).join(" ");
  const length = 760;
  return Array.from({ length: count }, (_, index) => {
    const start = (index * 613) % (text.length - length);
    return `${index}. ${text.slice(start, start + length).trim()}`;
  });
}

/** Each question is embedded, too, by the scripted server in this process. */
async function ask(server: PlatformProcess, storeId: string): Promise<void> {
  let next = 0;
  const times: number[] = [];
  const askAll = async (limit: number) => {
    while (next < limit) {
      next += 1;
      const query = `ipsum passage number ${(next * 7_919) % passages}`;
      const since = performance.now();
      await server.call("POST", "/document-store/vectorstore/query", { storeId, query });
      times.push(performance.now() - since);
    }
  };
  await askAll(1);
  const first = times.splice(0)[0] ?? 0;
  await askAll(questions);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  const since = performance.now();
  await Promise.all(Array.from({ length: 16 }, () => askAll(3 * questions)));
  const rate = (2 * questions * 1_000) / (performance.now() - since);
  process.stdout.write(
    `questions        p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, the first ${Math.round(first)} ms; ` +
      `16 at once ${rate.toFixed(0)}/s; then ${megabytes(server)} MB\n`,
  );
}

async function newStore(server: PlatformProcess): Promise<string> {
  const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
  const body = { name: "Bench", embeddingConfig };
  return (await server.call<DocumentStore>("POST", "/document-store/store", body)).id;
}

async function upload(server: PlatformProcess, id: string, files: StreamedFile[]): Promise<UpsertResult> {
  const { headers, ...form } = streamForm(files);
  const response = await fetch(`${server.url}/api/v1/document-store/upsert/${id}`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${server.token}` },
    ...form,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as UpsertResult;
}

type Counts = Pick<UpsertResult, "numAdded" | "numSkipped" | "failed">;

async function report(server: PlatformProcess, what: string, work: () => Promise<Counts>): Promise<void> {
  const pings = startPings(server.url);
  const before = megabytes(server);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, megabytes(server));
  }, 20);
  const since = performance.now();
  const { numAdded, numSkipped, failed } = await work().finally(() => clearInterval(watch));
  const tookMs = Math.round(performance.now() - since);
  const times = (await pings.stop()).sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
  process.stdout.write(
    `${what.padEnd(16)} ${String(tookMs).padStart(6)} ms   ${numAdded} added, ${numSkipped} unchanged, ${failed.length} failed\n` +
      `${"".padEnd(16)} ping p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms of ${times.length}; ${before} MB, at most ${peak}\n`,
  );
}

/** Asks again and again in a process of its own, one ping after the other. */
function startPings(url: string) {
  const pinger = fork(new URL("./pinger.ts", import.meta.url), [`${url}/api/v1/ping`]);
  return {
    async stop(): Promise<number[]> {
      pinger.send("stop");
      const [times] = (await once(pinger, "message")) as [number[]];
      return times;
    },
  };
}

function megabytes(server: PlatformProcess): number {
  return Math.round(server.residentMb());
}
