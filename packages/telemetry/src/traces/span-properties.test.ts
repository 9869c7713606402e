import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent, RunEventBody } from "@weft/schema";
import fc from "fast-check";
import { assertOtlp, assertTrace, attributeOf } from "../testing/collector.ts";
import { toExportRequest } from "./otlp.ts";
import { spansOf } from "./spans.ts";

const runId = "0197e3a2-8f00-7000-8000-123456789abc";
const flow = { name: "Agent", stepOf: (nodeId: string) => ({ type: nodeId === "a" ? "agent" : "llm", label: nodeId }) };

const started = {
  type: "run-started",
  agentId: "agent-1",
  flowVersionId: "version-1",
  chatId: "chat-1",
  sessionId: "session-1",
  chatType: "EXTERNAL",
  userMessageId: "m-1",
  apiMessageId: "m-2",
  input: { question: "A question \ud800" },
  depth: 0,
} as const satisfies RunEventBody;

const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
const answer = {
  text: "Words",
  toolCalls: [{ id: "1", name: "t", arguments: "{}" }],
  finishReason: "tool-calls",
  usage,
};
const error = { code: "model-unavailable", message: "It did not answer.", retryable: true };

const nodeId = fc.constantFrom("a", "b", "each");
const nodeKey = fc
  .tuple(fc.constantFrom("", "each#1[0]/", "each#1[1]/", "each#1[0]/each#1[2]/"), nodeId)
  .map(([scope, id]) => ({ nodeKey: `${scope}${id}#1`, nodeId: id }));
const effectKey = fc.constantFrom("model-0", "tool-0-0", "store-0");
const outcome = fc.constantFrom({ ok: true, value: answer } as const, { ok: false, error } as const);

/** Events as a journal could hold them, and in orders that none does. */
const body: fc.Arbitrary<RunEventBody> = fc.oneof(
  nodeKey.map((node) => ({ type: "node-started" as const, ...node, attempt: 1 })),
  nodeKey.map((node) => ({ type: "node-completed" as const, ...node, output: null })),
  fc
    .tuple(nodeKey, fc.constantFrom({ type: "retry", at: 0 } as const, { type: "stop" } as const))
    .map(([node, next]) => ({ type: "node-failed" as const, ...node, error, attempt: 1, next })),
  fc
    .tuple(nodeKey, effectKey, fc.constantFrom("model", "tool", "http", "flow", "function", "retrieval"))
    .map(([{ nodeKey }, effectKey, category]) => ({
      type: "effect-started" as const,
      nodeKey,
      effectKey,
      attempt: 1,
      kind: "read" as const,
      category: category as "model",
      name: category === "http" ? "GET https://example.com/?q=secret" : "google/gemini",
      input: {
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "Hi" },
              { type: "image", sizeBytes: 1 },
            ],
          },
        ],
      },
    })),
  fc.tuple(nodeKey, effectKey, outcome, fc.boolean()).map(([{ nodeKey }, effectKey, outcome, isRetried]) => ({
    type: "effect-finished" as const,
    nodeKey,
    effectKey,
    outcome,
    ...(isRetried && { retryAfterMs: 5 }),
  })),
  fc.constant({ type: "run-suspended" as const }),
);

const end: fc.Arbitrary<RunEventBody> = fc.constantFrom(
  { type: "run-completed", text: "Done", answerNodeKey: null, usage } as const,
  { type: "run-failed", error, nodeKey: null } as const,
  { type: "run-cancelled" } as const,
);

const journal = fc
  .tuple(fc.array(fc.tuple(body, fc.integer({ min: -50, max: 1_000 })), { maxLength: 60 }), end)
  .map(([middle, last]) => {
    let at = 1_700_000_000_000;
    const bodies: [RunEventBody, number][] = [[started, 0], ...middle, [last, 1]];
    return bodies.map(([event, pause], index): RunEvent => {
      at += pause;
      return { ...event, seq: index + 1, at };
    });
  });

test("spans of any journal are OTLP, end after they begin, and have their parents", () => {
  fc.assert(
    fc.property(journal, fc.boolean(), (events, content) => {
      const waits = events.filter(({ type }) => type === "run-suspended").map(({ seq }) => seq);
      // As they are sent: at each stop, and at the end.
      const spans = [...waits, events.length].flatMap((seq) => spansOf(runId, events.slice(0, seq), flow, { content }));
      assertTrace(spans);
      assert.equal(spans.filter(({ name }) => name.startsWith("invoke_workflow")).length, 1);
      assertOtlp(JSON.parse(JSON.stringify(toExportRequest(spans, { resource: {}, version: "1" }))));
      assert.deepEqual(spansOf(runId, events, flow, { content }).at(-1), spans.at(-1));
      if (!content) assert.doesNotMatch(JSON.stringify(spans), /Words|Hi|question|secret|It did not answer/);
    }),
    { numRuns: 300 },
  );
});

function traced(bodies: readonly RunEventBody[]) {
  const events = [started, ...bodies].map((event, index): RunEvent => ({ ...event, seq: index + 1, at: index * 10 }));
  return spansOf(runId, events, flow, { content: false });
}

test("a call and its retries are one span; a step's items are its children", () => {
  const call = { nodeKey: "each#1[0]/b#1", effectKey: "store-0", kind: "read", category: "retrieval" } as const;
  const input = { query: "What?", topK: 3 };
  const spans = traced([
    { type: "node-started", nodeKey: "each#1", nodeId: "each", attempt: 1 },
    { type: "node-started", nodeKey: "each#1[0]/b#1", nodeId: "b", attempt: 1 },
    { type: "effect-started", ...call, attempt: 1, name: "store-1", input },
    { type: "effect-finished", ...call, outcome: { ok: false, error }, retryAfterMs: 5 },
    { type: "effect-started", ...call, attempt: 2, name: "store-1", input },
    { type: "effect-finished", ...call, outcome: { ok: true, value: [] } },
    { type: "node-completed", nodeKey: "each#1[0]/b#1", nodeId: "b", output: null },
    { type: "node-completed", nodeKey: "each#1", nodeId: "each", output: null },
    { type: "run-completed", text: "", answerNodeKey: null, usage },
  ]);
  assertTrace(spans);
  const [retrieval, item, each, run] = spans;
  assert.ok(retrieval && item && each && run && spans.length === 4);
  assert.equal(retrieval.name, "retrieval store-1");
  assert.deepEqual([retrieval.startTimeUnixNano, retrieval.endTimeUnixNano], ["30000000", "60000000"]);
  assert.deepEqual(retrieval.status, {});
  assert.equal(attributeOf(retrieval, "gen_ai.retrieval.top_k"), "3");
  assert.equal(attributeOf(retrieval, "weft.effect.attempts"), "2");
  assert.equal(attributeOf(retrieval, "gen_ai.retrieval.query.text"), undefined);
  assert.deepEqual(
    [retrieval.parentSpanId, item.parentSpanId, each.parentSpanId],
    [item.spanId, each.spanId, run.spanId],
  );
});

test("what a cancel cuts off ends with the run; a journal without its beginning has no spans", () => {
  const spans = traced([
    { type: "node-started", nodeKey: "b#1", nodeId: "b", attempt: 1 },
    {
      type: "effect-started",
      nodeKey: "b#1",
      effectKey: "model-0",
      attempt: 1,
      kind: "read",
      category: "model",
      name: "mistral/large",
      input: {},
    },
    { type: "run-cancelled" },
  ]);
  assertTrace(spans);
  assert.deepEqual(
    spans.map(({ name, endTimeUnixNano }) => [name, endTimeUnixNano]),
    [
      ["chat large", "30000000"],
      ["step b", "30000000"],
      ["invoke_workflow Agent", "30000000"],
    ],
  );
  assert.equal(attributeOf(spans[0] as never, "gen_ai.provider.name"), "mistral_ai");
  assert.deepEqual(spansOf(runId, [{ type: "run-cancelled", seq: 4, at: 1 }], flow, { content: false }), []);
  assert.deepEqual(spansOf(runId, [], flow, { content: false }), []);
});
