import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createEgressClient, toAllowEntry } from "@weft/egress";
import { createLogger } from "@weft/http/logger";
import type { RunEvent } from "@weft/schema";
import { createRegistry } from "../metrics/registry.ts";
import { assertTrace, type Collector, openCollector } from "../testing/collector.ts";
import { parseScrape } from "../testing/scrape.ts";
import { readTraceSettings } from "./settings.ts";
import { createTraceExporter, createTraceMeters, type TraceSources } from "./trace-exporter.ts";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const journal = (size = 0): RunEvent[] => [
  {
    type: "run-started",
    agentId: "agent-1",
    flowVersionId: "v",
    chatId: "c",
    sessionId: "s",
    chatType: "EXTERNAL",
    userMessageId: "m",
    apiMessageId: "n",
    input: { question: "x".repeat(size) },
    depth: 0,
    seq: 1,
    at: 1_000,
  },
  { type: "run-completed", text: "y".repeat(size), answerNodeKey: null, usage, seq: 2, at: 2_000 },
];

/** An exporter whose pauses are noted in place of waited for. */
async function openExporter(t: TestContext, collector: Pick<Collector, "url">, sources: Partial<TraceSources> = {}) {
  const { settings } = readTraceSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  });
  assert.ok(settings);
  const http = createEgressClient({ allow: [toAllowEntry(settings.url)] });
  t.after(() => http.close());
  const pauses: number[] = [];
  const registry = createRegistry();
  const lines: string[] = [];
  const logger = createLogger({ level: "info", write: (line) => void lines.push(line), now: Date.now });
  const clock = {
    elapsed: () => performance.now(),
    async sleep(ms: number, signal: AbortSignal) {
      if (ms < 4_000 || ms > 4_000) pauses.push(ms);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms === 4_000 ? 500 : 1);
        signal.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
      });
    },
  };
  const exporter = createTraceExporter({
    settings,
    version: "1",
    http,
    clock,
    meters: createTraceMeters(registry),
    logger,
  });
  exporter.start({
    journalOf: async () => journal(),
    agentName: async () => "Agent",
    conceal: (shown) => shown,
    ...sources,
  });
  let count = 0;
  const take = (runs: number) => {
    for (let taken = 0; taken < runs; taken += 1) {
      count += 1;
      const runId = `0197e3a2-8f00-7000-8000-${String(count).padStart(12, "0")}`;
      exporter.take({ runId, agentId: "agent-1", lastSeq: 2, stepOf: () => undefined });
    }
  };
  const counted = (name: string) => parseScrape(registry.write()).samples.get(name);
  return { ...exporter, take, pauses, lines, counted };
}

async function until(probe: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1_000 && !probe(); attempt += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(probe());
}

test("64 runs are sent at once, fewer wait for company, and a stop sends them", async (t) => {
  const collector = await openCollector(t);
  const exporter = await openExporter(t, collector);
  exporter.take(64);
  await until(() => collector.spans().length === 64);
  assert.equal(collector.requests.length, 1);
  exporter.take(3);
  assert.equal(exporter.counted("weft_trace_queue_runs"), 3);
  await exporter.stop();
  assertTrace(collector.spans());
  assert.equal(collector.spans().length, 67);
  assert.equal(exporter.counted("weft_trace_spans_sent_total"), 67);
  exporter.take(1);
  assert.equal(exporter.counted("weft_trace_queue_runs"), 0);
});

test("what a collector refuses for the moment is tried again, after the pause that it asks for", async (t) => {
  const collector = await openCollector(t);
  const exporter = await openExporter(t, collector);
  const statuses = [503, 429, 502, 504];
  collector.answer = (response, count) => {
    const status = statuses[count - 1] ?? 500;
    response.writeHead(status, status === 429 ? { "retry-after": "7" } : {}).end("no");
    if (count === statuses.length) collector.answer = undefined;
  };
  exporter.take(64);
  await until(() => collector.spans().length === 64);
  assert.equal(collector.count(), 5);
  const [first = 0, second = 0, third = 0] = exporter.pauses;
  assert.ok(
    first >= 500 && first <= 1_000 && second === 7_000 && third >= 2_000 && third <= 4_000,
    exporter.pauses.join(),
  );
  await exporter.stop();
  assert.equal(exporter.counted("weft_trace_spans_dropped_total"), 0);
});

test("what it refuses for good, or five times, is dropped and counted, and one line says so", async (t) => {
  const collector = await openCollector(t);
  const exporter = await openExporter(t, collector);
  collector.answer = (response) => response.writeHead(400).end("no");
  exporter.take(64);
  await until(() => exporter.counted("weft_trace_spans_dropped_total") === 64);
  assert.equal(collector.count(), 1);
  collector.answer = (response) => response.writeHead(503).end();
  exporter.take(64);
  await until(() => exporter.counted("weft_trace_spans_dropped_total") === 128);
  assert.equal(collector.count(), 6);
  assert.equal(exporter.lines.length, 1);
  assert.match(exporter.lines[0] ?? "", /traces-not-sent.*answered 400/);
  collector.answer = (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"partialSuccess":{"rejectedSpans":"4"}}');
  exporter.take(64);
  await until(() => exporter.counted("weft_trace_spans_sent_total") === 60);
  await exporter.stop();
  assert.equal(exporter.counted("weft_trace_spans_dropped_total"), 132);
});

test("while a collector hangs, or there is none, taking costs nothing, and what is too much is dropped", async (t) => {
  const collector = await openCollector(t);
  const exporter = await openExporter(t, collector);
  collector.answer = () => undefined;
  exporter.take(64);
  await until(() => collector.count() === 1);
  exporter.take(2_148);
  assert.equal(exporter.counted('weft_trace_runs_dropped_total{reason="queue-full"}'), 100);
  await exporter.stop();
  assert.equal(exporter.counted('weft_trace_runs_dropped_total{reason="stopped"}'), 2_048);

  const gone = await openExporter(t, { url: "http://127.0.0.1:9" });
  gone.take(64);
  await until(() => gone.counted("weft_trace_spans_dropped_total") === 64);
  assert.equal(gone.pauses.length, 4);
  await gone.stop();
});

test("a journal that cannot be read costs its own trace alone; content that is too long is left out", async (t) => {
  const collector = await openCollector(t);
  let reads = 0;
  const exporter = await openExporter(t, collector, {
    async journalOf() {
      reads += 1;
      if (reads === 1) throw new Error("The database is away.");
      return journal(reads === 2 ? 200_000 : 10);
    },
    conceal: <T>(shown: T): T => JSON.parse(JSON.stringify(shown).replaceAll("yyyyy", "*")),
  });
  exporter.take(3);
  await exporter.stop();
  assert.equal(collector.spans().length, 2);
  assert.equal(exporter.counted('weft_trace_runs_dropped_total{reason="journal"}'), 1);
  const text = JSON.stringify(collector.requests[0]?.body);
  assert.ok(text.length < 10_000, String(text.length));
  assert.match(text, /xxxxxxxxxx/);
  assert.match(text, /\*\*/);
});
