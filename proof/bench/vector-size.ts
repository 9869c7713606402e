import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../packages/database/src/open-database.ts";
import type { VectorRecord, VectorSearch } from "../../packages/engine/src/ports/vector-store.ts";
import type { JsonObject } from "../../packages/schema/src/index.ts";
import { createEmbeddedStore } from "../../packages/vector-stores/src/embedded/embedded-store.ts";
import { createRandom } from "./random.ts";
import { toProse, toQuestion } from "./vectors/prose.ts";

/**
 * How the embedded store bears many vectors of 384 numbers: `node proof/bench/vector-size.ts [records] [databaseUrl]`, 100,000 and
 * SQLite without. Records are upserted in this process; another one, as after a restart, asks the first question and then
 * further ones; what it finds is compared with an exact comparison of all vectors, as plain as it can be written, here.
 * Processor time is printed beside the time that passed: other work on the machine changes it less.
 */
const [count = 100_000, questions, portion, dimension, topK] = [Number(process.argv[2] ?? 100_000), 50, 1_000, 384, 10];
const databaseUrl = process.argv[3] ?? "";
const signal = new AbortController().signal;
const asked = process.env.BENCH_ASKED;

if (asked === undefined) await measure();
else await askAll(JSON.parse(asked));

async function measure(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "weft-bench-"));
  const collection = `bench_${process.pid}`;
  print("records", String(count), `load ${loadavg()[0]?.toFixed(1)}`);
  await upsertAll({ dataDir, collection });
  const exact = compareExactly();
  print("exact comparison, plain", `${exact.cpuMs.toFixed(1)} ms CPU`, "a question");
  const env = { ...process.env, BENCH_ASKED: JSON.stringify({ dataDir, collection }) };
  const child = fork(import.meta.filename, process.argv.slice(2), { env });
  const [found] = (await once(child, "message")) as [{ ids: string[][]; cpuMs: number }];
  const hits = found.ids.flatMap((ids, index) => ids.filter((id) => exact.nearest[index]?.includes(id)));
  print(`recall@${topK}`, (hits.length / (questions * topK)).toFixed(4));
  print(
    "beside the exact comparison",
    `${(exact.cpuMs / found.cpuMs).toFixed(1)} ×`,
    "as many questions in its processor time",
  );
  await once(child, "exit");
  rmSync(dataDir, { recursive: true, force: true });
}

type Place = { dataDir: string; collection: string };

async function openCollection({ dataDir, collection }: Place) {
  const database = await openDatabase({ databaseUrl, dataDir });
  const store = createEmbeddedStore({ database, databaseUrl, dataDir });
  const services = { readCredential: async () => undefined, fetch: globalThis.fetch };
  const opened = await store.definition.open({}, { collection, embedderId: "bench", dimension }, services);
  return {
    opened,
    async close() {
      await store.close();
      await database.close();
    },
  };
}

async function upsertAll(place: Place): Promise<void> {
  const { opened, close } = await openCollection(place);
  const turns = watchTurns();
  const spent = { ms: 0, cpuMs: 0 };
  for (let start = 0; start < count; start += portion) {
    const records = Array.from({ length: Math.min(portion, count - start) }, (_, index) => toRecord(start + index));
    turns.start();
    const took = await timed(() => opened.upsert(records, { signal }));
    turns.stop();
    spent.ms += took.ms;
    spent.cpuMs += took.cpuMs;
  }
  const [usual, longest] = turns.times();
  const stops = `the event loop stood still for p99 ${usual.toFixed(0)}, at most ${longest.toFixed(0)} ms CPU`;
  print("upserted", `${(spent.ms / 1_000).toFixed(1)} s`, `${(spent.cpuMs / 1_000).toFixed(1)} s CPU; ${stops}`);
  await close();
}

/** What this thread computes from one turn of a timer to the next: other work on the machine delays turns, too. */
function watchTurns() {
  const times: number[] = [];
  let before = process.threadCpuUsage();
  let timer: NodeJS.Timeout | undefined;
  const note = () => {
    times.push(toMs(process.threadCpuUsage(before)));
    before = process.threadCpuUsage();
  };
  return {
    start() {
      before = process.threadCpuUsage();
      timer = setInterval(note, 1);
    },
    stop: () => clearInterval(timer),
    times(): [p99: number, longest: number] {
      times.sort((a, b) => a - b);
      return [times[Math.floor(times.length * 0.99)] ?? 0, times.at(-1) ?? 0];
    },
  };
}

/** In a process of its own. */
async function askAll(place: Place): Promise<void> {
  const { opened, close } = await openCollection(place);
  const first = await timed(() => waitFor(() => opened.search(toSearch(0))));
  print("first question", `${(first.ms / 1_000).toFixed(2)} s`, `${(first.cpuMs / 1_000).toFixed(2)} s CPU`);
  const ids: string[][] = [];
  const { cpuMs } = await printTimes("vectors", async (index) => {
    ids.push((await opened.search(toSearch(index))).map(({ id }) => id));
  });
  const within = (filter: JsonObject) => (index: number) => opened.search({ ...toSearch(index), filter });
  await printTimes("within a hundredth", within({ file: 7 }));
  await printTimes("within a half", within({ file: { $lt: 50 } }));
  await printTimes("each within another hundredth", (index) => within({ file: index })(index));
  await printTimes("words", (index) => opened.search({ ...toSearch(index), mode: "keyword" }));
  await printTimes("hybrid", (index) => opened.search({ ...toSearch(index), mode: "hybrid" }));
  await opened.delete(["id7"], { signal });
  const after = await timed(() => opened.search(toSearch(0)));
  print("the first after a deletion", `${after.ms.toFixed(1)} ms`, `${after.cpuMs.toFixed(1)} ms CPU`);
  print("resident memory", `${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
  if (databaseUrl !== "") await opened.drop({ signal });
  await close();
  process.send?.({ ids, cpuMs });
  process.disconnect();
}

/** A question that is told to come again does. */
async function waitFor<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error && "retryable" in error && error.retryable)) throw error;
    }
  }
}

async function printTimes(name: string, ask: (index: number) => Promise<unknown>): Promise<{ cpuMs: number }> {
  const times: number[] = [];
  const all = await timed(async () => {
    for (let index = 0; index < questions; index += 1) times.push((await timed(() => ask(index))).ms);
  });
  times.sort((a, b) => a - b);
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;
  const cpuMs = all.cpuMs / questions;
  print(name, `p50 ${at(0.5)}`, `p99 ${at(0.99)}; ${cpuMs.toFixed(1)} ms CPU`);
  return { cpuMs };
}

function compareExactly(): { nearest: string[][]; cpuMs: number } {
  const vectors = Array.from({ length: questions }, (_, index) => toSearch(index).vector);
  const best = vectors.map((): Hit[] => []);
  let cpuMs = 0;
  for (let start = 0; start < count; start += portion) {
    const block = Array.from({ length: Math.min(portion, count - start) }, (_, index) => toVector(start + index));
    const before = process.cpuUsage();
    for (const [question, vector] of vectors.entries()) {
      const hits = best[question] ?? [];
      for (const [index, other] of block.entries()) {
        let score = 0;
        for (let at = 0; at < dimension; at += 1) score += (other[at] as number) * (vector[at] as number);
        addHit(hits, { id: `id${start + index}`, score });
      }
    }
    cpuMs += toMs(process.cpuUsage(before));
  }
  return { nearest: best.map((hits) => hits.map(({ id }) => id)), cpuMs: cpuMs / questions };
}

type Hit = { id: string; score: number };

function addHit(hits: Hit[], hit: Hit): void {
  if (hits.length === topK && hit.score <= (hits.at(-1)?.score ?? 0)) return;
  hits.push(hit);
  hits.sort((a, b) => b.score - a.score).splice(topK);
}

function toRecord(index: number): VectorRecord {
  return {
    id: `id${index}`,
    text: toProse(index),
    metadata: { file: index % 100, line: index },
    vector: toVector(index),
  };
}

function toSearch(index: number): VectorSearch {
  return { text: toQuestion(index, count), vector: toVector(count + index), topK, mode: "vector", signal };
}

/** Of length 1, near others of one of 1,000 topics, whose directions all have something in common. */
function toVector(index: number): Float32Array {
  const [own, topic, common] = [createRandom(index + 7), createRandom(9_000_000 + (index % 1_000)), createRandom(1)];
  const vector = Float32Array.from({ length: dimension }, () => own() + topic() + common() - 1.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

async function timed<T>(fn: () => Promise<T>): Promise<{ value: T; ms: number; cpuMs: number }> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const value = await fn();
  return { value, ms: performance.now() - startedAt, cpuMs: toMs(process.cpuUsage(before)) };
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

function print(name: string, figure: string, beside = ""): void {
  process.stdout.write(`${name.padEnd(32)} ${figure.padStart(14)}   ${beside}\n`);
}
