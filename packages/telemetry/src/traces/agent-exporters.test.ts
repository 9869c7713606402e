import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createEgressClient, toAllowEntry } from "@weft/egress";
import { createLogger } from "@weft/http/logger";
import type { RunEvent } from "@weft/schema";
import { until } from "../../../database/src/testing/until.ts";
import { createRegistry } from "../metrics/registry.ts";
import { assertTrace, attributeOf, type Collector, openCollector } from "../testing/collector.ts";
import { parseScrape } from "../testing/scrape.ts";
import { createAgentExporters } from "./agent-exporters.ts";
import { createTraceMeters } from "./trace-exporter.ts";
import type { TraceDestination } from "./tracing-services.ts";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const journal: RunEvent[] = [
  {
    type: "run-started",
    agentId: "agent-1",
    flowVersionId: "v",
    chatId: "c",
    sessionId: "s",
    chatType: "EXTERNAL",
    userMessageId: "m",
    apiMessageId: "n",
    input: { question: "hello" },
    depth: 0,
    seq: 1,
    at: 1_000,
  },
  { type: "run-completed", text: "there", answerNodeKey: null, usage, seq: 2, at: 2_000 },
];

/** Exporters that sleep for no time, and a clock that goes on when it is told to. */
async function open(t: TestContext, ...collectors: Collector[]) {
  const http = createEgressClient({ allow: collectors.map(({ url }) => toAllowEntry(url)) });
  t.after(() => http.close());
  const registry = createRegistry();
  let elapsedMs = 0;
  const clock = {
    elapsed: () => elapsedMs,
    sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 1).unref()),
  };
  const logger = createLogger({ level: "silent", write: () => undefined, now: Date.now });
  const exporters = createAgentExporters({ version: "1", http, clock, meters: createTraceMeters(registry), logger });
  const settings = new Map<string, TraceDestination[] | Error>();
  let reads = 0;
  exporters.start({
    journalOf: async () => journal,
    agentName: async () => "Agent",
    conceal: (shown) => shown,
    async destinationsOf(agentId) {
      reads += 1;
      const found = settings.get(agentId) ?? [];
      if (found instanceof Error) throw found;
      return found;
    },
  });
  t.after(() => exporters.stop());
  let count = 0;
  const counted = (name: string) => parseScrape(registry.write()).samples.get(name);
  const settled = () =>
    ["spans_sent_total", "spans_dropped_total", 'runs_dropped_total{reason="settings"}']
      .map((name) => counted(`weft_trace_${name}`) ?? 0)
      .reduce((sum, value) => sum + value);
  return {
    settings,
    reads: () => reads,
    passTime: (ms: number) => {
      elapsedMs += ms;
    },
    counted,
    /** Enough runs that nothing is waited for, of a span each. Resolves when every destination has them, or lost them. */
    async take(agentId: string) {
      const found = settings.get(agentId) ?? [];
      const goal = settled() + 64 * (found instanceof Error ? 1 : found.length);
      for (let taken = 0; taken < 64; taken += 1) {
        count += 1;
        const runId = `0197e3a2-8f00-7000-8000-${String(count).padStart(12, "0")}`;
        exporters.take({ runId, agentId, lastSeq: 2, stepOf: () => undefined });
      }
      await until(() => (settled() >= goal ? true : undefined));
      assert.equal(settled(), goal);
    },
  };
}

const to = ({ url }: Collector, headers: Record<string, string> = {}) => ({ url: `${url}/v1/traces`, headers });

test("runs go where their agents send them, whatever becomes of another destination", async (t) => {
  const [fine, failing] = await Promise.all([openCollector(t), openCollector(t)]);
  failing.answer = (response) => response.writeHead(500).end();
  const { settings, take, counted } = await open(t, fine, failing);
  settings.set("agent-1", [to(failing), to(fine, { "x-key": "k" })]);
  await take("agent-1");
  await take("agent-2");
  assert.equal(fine.spans().length, 64);
  assert.equal(fine.requests[0]?.headers["x-key"], "k");
  assert.equal(counted("weft_trace_spans_sent_total"), 64);
  assert.equal(counted("weft_trace_spans_dropped_total"), 64);
  assert.match(JSON.stringify(fine.spans()), /hello/);
});

test("Phoenix and Arize get protobuf, with OpenInference's attributes and the project's name", async (t) => {
  const phoenix = await openCollector(t);
  const { settings, take } = await open(t, phoenix);
  settings.set("agent-1", [{ ...to(phoenix), project: "shop" }]);
  await take("agent-1");
  const { headers, body } = phoenix.requests[0] ?? assert.fail("nothing came");
  assert.equal(headers["content-type"], "application/x-protobuf");
  const resource = body.resourceSpans[0]?.resource.attributes ?? [];
  assert.ok(resource.some(({ key, value }) => key === "openinference.project.name" && value.stringValue === "shop"));
  const spans = phoenix.spans();
  assert.equal(spans.length, 64);
  assertTrace(spans.slice(0, 1));
  const [run] = spans;
  assert.ok(run);
  const names = ["openinference.span.kind", "session.id", "input.value", "input.mime_type", "output.value"];
  assert.deepEqual(
    names.map((name) => attributeOf(run, name)),
    ["CHAIN", "s", "hello", "text/plain", "there"],
  );
  assert.equal(attributeOf(run, "gen_ai.conversation.id"), "s", "the other attributes stay");
});

test("settings are read once in ten seconds, and again at once when they could not be read", async (t) => {
  const [before, after] = await Promise.all([openCollector(t), openCollector(t)]);
  const { settings, take, reads, passTime, counted } = await open(t, before, after);
  settings.set("agent-1", [to(before)]);
  await take("agent-1");
  settings.set("agent-1", [to(after)]);
  await take("agent-1");
  assert.deepEqual([before.spans().length, after.spans().length, reads()], [128, 0, 1]);
  passTime(10_000);
  await take("agent-1");
  assert.deepEqual([before.spans().length, after.spans().length, reads()], [128, 64, 2]);
  settings.set("agent-2", new Error("the database is away"));
  await take("agent-2");
  assert.equal(counted('weft_trace_runs_dropped_total{reason="settings"}'), 64);
  settings.set("agent-2", [to(after)]);
  await take("agent-2");
  assert.equal(after.spans().length, 128);
});
