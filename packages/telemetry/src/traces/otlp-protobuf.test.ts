import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtobuf } from "../testing/collector.ts";
import { withOpenInference } from "./open-inference.ts";
import { failed, type OtlpSpan, spanKinds, toExportRequest, toOtlpAttributes } from "./otlp.ts";
import { encodeExportRequest } from "./otlp-protobuf.ts";

const span: OtlpSpan = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentSpanId: "00f067aa0ba902b7",
  flags: 0x101,
  name: "chat größer 🌿",
  kind: spanKinds.client,
  startTimeUnixNano: "1764179999000000000",
  endTimeUnixNano: "1764180000000000001",
  attributes: toOtlpAttributes({
    text: "x".repeat(300),
    empty: "",
    yes: true,
    no: false,
    tokens: 300,
    negative: -1,
    large: Number.MAX_SAFE_INTEGER,
    "gen_ai.request.temperature": 0.5,
    list: ["stop", ""],
  }),
  status: failed("It broke."),
};

test("spans are the same as protobuf as they are as JSON, for the messages of OpenTelemetry", () => {
  const { parentSpanId: _, ...root } = { ...span, status: {}, attributes: [] };
  const request = toExportRequest([span, root], { resource: { "service.name": "weft" }, version: "1.2.3" });
  const [read] = readProtobuf(encodeExportRequest(request)).resourceSpans;
  const [sent] = request.resourceSpans;
  assert.deepEqual(read?.resource, sent?.resource);
  assert.deepEqual(read?.scopeSpans[0]?.scope, { name: "weft", version: "1.2.3" });
  const { flags: _flags, ...whole } = span;
  assert.deepEqual(read?.scopeSpans[0]?.spans[0], whole);
  assert.equal(read?.scopeSpans[0]?.spans[1]?.parentSpanId, undefined);
});

test("a model's call, a tool's and a search are named as OpenInference names them", () => {
  const describe = (attributes: Record<string, string | number>) => {
    const shown = withOpenInference({ ...span, attributes: toOtlpAttributes(attributes) });
    const added = shown.attributes.slice(Object.keys(attributes).length);
    return Object.fromEntries(added.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
  };
  const told = JSON.stringify([
    { role: "system", parts: [{ type: "text", content: "Be brief." }] },
    { role: "user", parts: [{ type: "text", content: "Hi" }] },
  ]);
  assert.deepEqual(
    describe({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-4o",
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 0,
      "gen_ai.input.messages": told,
    }),
    {
      "openinference.span.kind": "LLM",
      "llm.model_name": "gpt-4o",
      "llm.provider": "openai",
      "llm.token_count.prompt": 7,
      "llm.token_count.completion": 0,
      "input.value": told,
      "input.mime_type": "application/json",
    },
  );
  assert.deepEqual(
    describe({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "clock",
      "gen_ai.tool.call.arguments": '{"zone":"UTC"}',
      "gen_ai.tool.call.result": "noon",
    }),
    {
      "openinference.span.kind": "TOOL",
      "tool.name": "clock",
      "input.value": '{"zone":"UTC"}',
      "input.mime_type": "application/json",
      "output.value": "noon",
      "output.mime_type": "text/plain",
    },
  );
  assert.equal(describe({ "gen_ai.operation.name": "retrieval" })["openinference.span.kind"], "RETRIEVER");
  assert.equal(describe({ "gen_ai.operation.name": "invoke_agent" })["openinference.span.kind"], "AGENT");
  assert.equal(describe({})["openinference.span.kind"], "CHAIN");
});
