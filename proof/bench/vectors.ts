import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../packages/database/src/open-database.ts";
import type { EmbeddingModel } from "../../packages/engine/src/ports/embedding-model.ts";
import type { VectorCollection, VectorRecord, VectorSearch } from "../../packages/engine/src/ports/vector-store.ts";
import { createEmbeddedModel } from "../../packages/providers/src/embedded/embedded-model.ts";
import { openAiCompatible } from "../../packages/providers/src/openai-compatible/openai-compatible.ts";
import { toTestVector } from "../../packages/providers/src/testing/index.ts";
import { createEmbeddedStore } from "../../packages/vector-stores/src/embedded/embedded-store.ts";
import { toHarshQuestion, toHarshText, toProse, toQuestion } from "./vectors/prose.ts";

/**
 * The embedded vector store with vectors of 384 numbers, beside a plain scan in the same process and run:
 * `node proof/bench/vectors.ts [sqlite|postgres|embedder] [records] [prose|harsh]`. Start one process a database and size: only
 * then does its memory say something. PostgreSQL is that of TEST_POSTGRES_URL. Vectors come from a scripted embedding server
 * in another process; above 10,000 records they are made here, which the upsert's time leaves out.
 */
const kind = process.argv[2] ?? "sqlite";
const count = Number(process.argv[3] ?? 10_000);
const texts = process.argv[4] ?? "prose";
const dimension = 384;
const queries = 200;
const portion = 1_000;
const signal = new AbortController().signal;

if (kind === "embedder") await measureEmbedder();
else await measureStore();

async function measureStore(): Promise<void> {
  const url = process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/test";
  const dataDir = mkdtempSync(join(tmpdir(), "weft-bench-"));
  const databaseUrl = kind === "postgres" ? url : "";
  const database = await openDatabase({ databaseUrl, dataDir });
  const store = createEmbeddedStore({ database, databaseUrl, dataDir });
  const name = { collection: `bench_${process.pid}`, embedderId: "bench", dimension };
  const services = { readCredential: async () => undefined, fetch: globalThis.fetch };
  const collection = await store.definition.open({}, name, services);

  print(`${count} chunks`, texts, `${toText(1).length} characters each; load ${loadavg()[0]?.toFixed(1)}`);
  printMemory("resident memory at the start");
  await upsertAll(collection);
  printMemory("resident memory after the upsert");
  const first = await timed(() => collection.search(toSearch(0, "vector")));
  print("first search, which reads the collection", ms(first.ms));
  printMemory("resident memory after the first search");
  const plain = count <= 10_000 ? printPlainScan() : undefined;
  for (const mode of ["vector", "keyword", "hybrid"] as const) await printOneAtATime(collection, mode, plain);
  for (const mode of ["vector", "hybrid"] as const) await printConcurrent(collection, mode);
  printMemory("resident memory");
  const dropped = await timed(() => collection.drop({ signal }));
  print("dropped", seconds(dropped.ms));
  await store.close();
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** A portion at a time, as an upsert of a document store does. */
async function upsertAll(collection: VectorCollection): Promise<void> {
  const embedder = count <= 10_000 ? await startEmbedder() : undefined;
  const pings = await startPings();
  const loop = watchLoop();
  let embedMs = 0;
  let writeMs = 0;
  for (let start = 0; start < count; start += portion) {
    const length = Math.min(portion, count - start);
    const chunks = Array.from({ length }, (_, index) => toText(start + index));
    const embedded = await timed(() => (embedder ? embedAll(embedder.model, chunks) : toTestVectors(chunks)));
    const records = chunks.map((text, index): VectorRecord => {
      const vector = embedded.value[index] as Float32Array;
      return { id: randomUUID(), text, metadata: { source: `file${index % 100}` }, vector };
    });
    loop.start();
    const written = await timed(() => collection.upsert(records, { signal }));
    loop.stop();
    embedMs += embedded.ms;
    writeMs += written.ms;
  }
  const times = await pings.stop();
  if (embedder) print("embedded by a scripted server", seconds(embedMs));
  const stops = loop.stops();
  const stopped = `loop stops p99 ${ms(percentile(stops, 0.99))}, longest ${ms(Math.max(...stops))}`;
  print("upserted", seconds(writeMs), stopped);
  print("answer of the process meanwhile, p99", ms(percentile(times, 0.99)), `p50 ${ms(percentile(times, 0.5))}`);
  embedder?.close();
}

async function printOneAtATime(collection: VectorCollection, mode: VectorSearch["mode"], plainMs: number | undefined) {
  const times: number[] = [];
  const cpuAtStart = process.cpuUsage();
  for (let index = 0; index < queries; index += 1) {
    times.push((await timed(() => collection.search(toSearch(index, mode)))).ms);
  }
  const { user, system } = process.cpuUsage(cpuAtStart);
  const cpu = ms((user + system) / 1_000 / queries);
  const p50 = percentile(times, 0.5);
  const beside = plainMs === undefined ? "" : `; ${(p50 / plainMs).toFixed(2)} × plain`;
  print(`${mode} search, one at a time`, ms(p50), `p99 ${ms(percentile(times, 0.99))}; ${cpu} CPU${beside}`);
}

async function printConcurrent(collection: VectorCollection, mode: VectorSearch["mode"]): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < queries * 2) {
      next += 1;
      await collection.search(toSearch(next, mode));
    }
  };
  const all = await timed(() => Promise.all(Array.from({ length: 16 }, work)));
  print(`${mode} search, 16 at once`, `${((queries * 2_000) / all.ms).toFixed(0)}/s`);
}

/** The same comparison as simply as it can be written. */
function printPlainScan(): number {
  const vectors = Array.from({ length: count }, (_, index) => toTestVector(toText(index)));
  const times = Array.from({ length: 20 }, (_, index) => {
    const { vector } = toSearch(index, "vector");
    const startedAt = performance.now();
    const scores = vectors.map((other) => {
      let sum = 0;
      for (let at = 0; at < dimension; at += 1) sum += (other[at] as number) * (vector[at] as number);
      return sum;
    });
    scores.sort((a, b) => b - a).slice(0, 10);
    return performance.now() - startedAt;
  });
  print("plain scan in this process", ms(percentile(times, 0.5)), "the 10 nearest, nothing read");
  return percentile(times, 0.5);
}

async function startEmbedder() {
  const server = fork(new URL("./vectors/embedding-server.ts", import.meta.url));
  const [baseUrl] = (await once(server, "message")) as [string];
  const options = { model: "scripted", baseUrl, fetch: globalThis.fetch };
  const model = await openAiCompatible.embeddings.create(options);
  return { model, close: () => server.send("close") };
}

async function toTestVectors(chunks: readonly string[]): Promise<Float32Array[]> {
  return chunks.map((text) => toTestVector(text));
}

async function embedAll(model: EmbeddingModel, chunks: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < chunks.length; start += model.maxBatch) {
    const batch = chunks.slice(start, start + model.maxBatch);
    vectors.push(...(await model.embed({ texts: batch, purpose: "document", signal })));
  }
  return vectors;
}

async function measureEmbedder(): Promise<void> {
  const model = createEmbeddedModel();
  const embed = (chunks: string[]) => model.embed({ texts: chunks, purpose: "document", signal });
  const start = await timed(() => embed(["start"]));
  print("embedded model, start and first text", ms(start.ms), `load ${loadavg()[0]?.toFixed(1)}`);
  for (const characters of [200, 1_000]) {
    const chunks = Array.from({ length: 64 }, (_, index) => toText(index).repeat(5).slice(0, characters));
    const all = await timed(() => embedAll(model, chunks));
    print(`chunks of ${characters} characters`, `${((chunks.length * 1_000) / all.ms).toFixed(1)}/s`);
  }
  printMemory("resident memory");
  await model.close?.();
}

function toText(index: number): string {
  return texts === "harsh" ? toHarshText(index) : toProse(index);
}

function toSearch(index: number, mode: VectorSearch["mode"]): VectorSearch {
  const text = texts === "harsh" ? toHarshQuestion(index) : toQuestion(index, count);
  return { text, vector: toTestVector(text), topK: 10, mode, signal };
}

/** An HTTP server in this process, and another process that asks it. */
async function startPings(): Promise<{ stop(): Promise<number[]> }> {
  const server = createServer((_request, response) => response.end("pong")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const pinger = fork(new URL("./pinger.ts", import.meta.url), [address]);
  return {
    async stop() {
      pinger.send("stop");
      const [times] = (await once(pinger, "message")) as [number[]];
      server.close();
      server.closeAllConnections();
      return times;
    },
  };
}

/** How long the event loop stood still, between each `start` and `stop`. */
function watchLoop() {
  const stops: number[] = [];
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  const note = () => {
    const now = performance.now();
    stops.push(Math.max(0, now - last - 1));
    last = now;
  };
  return {
    start() {
      last = performance.now();
      timer = setInterval(note, 1);
    },
    stop: () => clearInterval(timer),
    stops: () => stops,
  };
}

async function timed<T>(fn: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const value = await fn();
  return { value, ms: performance.now() - startedAt };
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function printMemory(name: string): void {
  print(name, `${Math.round(process.memoryUsage.rss() / 1e6)} MB`, `load ${loadavg()[0]?.toFixed(1)}`);
}

function print(name: string, figure: string, beside = ""): void {
  process.stdout.write(`${kind} ${name.padEnd(44)} ${figure.padStart(10)}   ${beside}\n`);
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

function seconds(value: number): string {
  return `${(value / 1_000).toFixed(2)} s`;
}
