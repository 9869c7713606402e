import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RunEvent } from "@weft/schema";
import type { Database } from "../../packages/database/src/database.ts";
import { openDatabase } from "../../packages/database/src/open-database.ts";
import { createRunStore, type RunStore } from "../../packages/run-host/src/journal/run.store.ts";

/**
 * What durable storage costs: journal appends and reads by id, as ratios to a bare node:sqlite loop that inserts one
 * row per commit, all in the same run.
 */
const writers = 16;
const measureMs = 2_000;
const eventsPerAppend = 4;

type Measure = { perSecond: number; cpuMicroseconds: number };

function report(name: string, measure: Measure, raw: Measure): void {
  const ratio = (measure.perSecond / raw.perSecond).toFixed(2);
  const line = [
    name.padEnd(40),
    `${Math.round(measure.perSecond)}/s`.padStart(10),
    `${ratio} × raw`.padStart(14),
    `${measure.cpuMicroseconds.toFixed(1)} µs CPU each`.padStart(22),
  ];
  console.log(line.join(" "));
}

function measureRawInserts(path: string): Measure {
  const sqlite = new DatabaseSync(path);
  sqlite.exec("pragma journal_mode = wal; pragma synchronous = full; create table t (id text primary key, value text)");
  const insert = sqlite.prepare("insert into t values (?, ?)");
  const meter = startMeter();
  while (meter.isOpen()) {
    insert.run(randomUUID(), "x".repeat(300));
    meter.count();
  }
  const measure = meter.result();
  sqlite.close();
  return measure;
}

async function measureAppends(store: RunStore, concurrency: number): Promise<Measure> {
  const lessee = { owner: "bench", leaseMs: 60_000 };
  const runs = Array.from({ length: concurrency }, () => randomUUID());
  const journal = store.journalOf(lessee);
  for (const runId of runs) await journal.append({ runId, epoch: 1, events: [started] });
  const meter = startMeter();
  const work = async (runId: string) => {
    for (let seq = 2; meter.isOpen(); seq += eventsPerAppend) {
      const events = Array.from({ length: eventsPerAppend }, (_, index) => answered(seq + index));
      await journal.append({ runId, epoch: 1, events });
      meter.count();
    }
  };
  await Promise.all(runs.map(work));
  return meter.result();
}

async function measureWrites(target: Database): Promise<Measure> {
  const meter = startMeter();
  const work = async () => {
    while (meter.isOpen()) {
      const row = { name: randomUUID(), value: "x".repeat(300) };
      await target.write((tx) => tx.insertInto("settings").values(row).execute());
      meter.count();
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
  return meter.result();
}

async function measureReads(target: Database): Promise<Measure> {
  const id = randomUUID();
  await target.write((tx) => tx.insertInto("agents").values(agent(id)).execute());
  const meter = startMeter();
  while (meter.isOpen()) {
    await target.read.selectFrom("agents").selectAll().where("id", "=", id).executeTakeFirst();
    meter.count();
  }
  return meter.result();
}

function startMeter() {
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  let done = 0;
  return {
    isOpen: () => performance.now() - startedAt < measureMs,
    count: () => {
      done += 1;
    },
    result(): Measure {
      const seconds = (performance.now() - startedAt) / 1_000;
      const { user, system } = process.cpuUsage(cpuAtStart);
      return { perSecond: done / seconds, cpuMicroseconds: (user + system) / done };
    },
  };
}

const started: RunEvent = {
  seq: 1,
  at: Date.now(),
  type: "run-started",
  agentId: "agent",
  flowVersionId: "version",
  chatId: "chat",
  sessionId: "session",
  chatType: "INTERNAL",
  userMessageId: "user",
  apiMessageId: "api",
  input: { question: "How much?" },
  depth: 0,
};

function answered(seq: number): RunEvent {
  const value = { text: "A sentence of some length that a model might have answered with. ".repeat(4) };
  return {
    seq,
    at: Date.now(),
    type: "effect-finished",
    nodeKey: "agent_0#0",
    effectKey: `model:${seq}`,
    outcome: { ok: true, value },
  };
}

function agent(id: string) {
  const settings = { chatbotConfig: "{}", apiConfig: "{}", analytic: "{}", speechToText: "{}", category: "" };
  const dates = { createdDate: new Date(0).toISOString(), updatedDate: new Date(0).toISOString() };
  const flowData = JSON.stringify({ weft: 1, nodes: [], edges: [], padding: "x".repeat(4_000) });
  return {
    id,
    name: "Agent",
    flowData,
    deployed: 0,
    isPublic: 0,
    apikeyid: "",
    type: "AGENTFLOW",
    versionId: "",
    ...settings,
    ...dates,
  };
}

const directory = mkdtempSync(join(tmpdir(), "weft-bench-"));
const database = await openDatabase({ databaseUrl: "", dataDir: directory });
try {
  const raw = measureRawInserts(join(directory, "raw.db"));
  const store = createRunStore({ database, project: () => [] });
  const alone = await measureAppends(store, 1);
  const together = await measureAppends(store, writers);
  const writes = await measureWrites(database);
  const reads = await measureReads(database);
  report("raw node:sqlite, 1 row per commit", raw, raw);
  report(`append of ${eventsPerAppend} events, 1 writer`, alone, raw);
  report(`append of ${eventsPerAppend} events, ${writers} writers`, together, raw);
  report(`write of one row, ${writers} writers`, writes, raw);
  report("get agent by id", reads, raw);
} finally {
  await database.close();
  rmSync(directory, { recursive: true });
}
