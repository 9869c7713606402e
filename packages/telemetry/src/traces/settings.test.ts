import assert from "node:assert/strict";
import { test } from "node:test";
import { readTraceSettings } from "./settings.ts";
import { isSampled, readTraceparent, traceIdOf, traceOfChild } from "./trace-context.ts";

test("without an endpoint, or with the SDK disabled, traces go nowhere", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" };
  for (const env of [
    {},
    { OTEL_SERVICE_NAME: "a" },
    { ...endpoint, OTEL_SDK_DISABLED: "TRUE" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: " " },
  ]) {
    assert.deepEqual(readTraceSettings(env), { settings: undefined, mistakes: [] });
  }
});

test("variables mean what OpenTelemetry says", () => {
  const { settings, mistakes } = readTraceSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.com/otlp/",
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=common, x-a=1",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "api-key=a%20b%3D",
    OTEL_SERVICE_NAME: "agents",
    OTEL_RESOURCE_ATTRIBUTES: "service.name=ignored,team=x",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
  });
  assert.deepEqual(mistakes, []);
  assert.equal(settings?.url, "https://collector.example.com/otlp/v1/traces");
  assert.deepEqual(settings?.headers(), { "api-key": "a b=", "x-a": "1" });
  assert.deepEqual(settings?.resource, { "service.name": "agents", team: "x" });
  assert.deepEqual(settings?.sampling, { sampler: "parentbased_traceidratio", ratio: 0.25 });
  assert.equal(settings?.content, false);
  assert.doesNotMatch(JSON.stringify(settings), /a b/);
});

test("mistakes are named without their values", () => {
  const { mistakes } = readTraceSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318 secret",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://user:secret@host",
    OTEL_EXPORTER_OTLP_HEADERS: "secret",
    OTEL_TRACES_SAMPLER: "secret",
    OTEL_TRACES_SAMPLER_ARG: "2",
    OTEL_SDK_DISABLED: "secret",
    OTEL_RESOURCE_ATTRIBUTES: "a=%E0%A4%A",
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "secret",
  });
  assert.equal(mistakes.length, 8, mistakes.join("\n"));
  assert.doesNotMatch(mistakes.join(), /secret/);
});

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = "00f067aa0ba902b7";

test("a traceparent is read as W3C Trace Context says, and nothing else is", () => {
  assert.deepEqual(readTraceparent(`00-${trace}-${span}-01`), { id: trace, parent: span, sampled: true });
  assert.deepEqual(readTraceparent(`00-${trace}-${span}-00`), { id: trace, parent: span, sampled: false });
  assert.deepEqual(readTraceparent(`cc-${trace}-${span}-03-what-comes`), { id: trace, parent: span, sampled: true });
  const zeros = "0".repeat(32);
  for (const value of [
    null,
    "",
    `00-${trace}-${span}`,
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${zeros}-${span}-01`,
    `00-${trace}-${zeros.slice(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01\n`,
  ]) {
    assert.equal(readTraceparent(value), undefined, String(value));
  }
});

test("every process decides alike which runs are traced", () => {
  const ids = Array.from({ length: 2_000 }, (_, index) => traceIdOf(`run ${index}`, undefined));
  const share = (ratio: number) =>
    ids.filter((id) => isSampled({ sampler: "traceidratio", ratio }, "r", { id, parent: span })).length / ids.length;
  assert.deepEqual([share(0), share(1)], [0, 1]);
  assert.ok(Math.abs(share(0.25) - 0.25) < 0.05);
  const known = { id: trace, parent: span, sampled: true };
  assert.equal(isSampled({ sampler: "always_off", ratio: 1 }, "r", known), false);
  assert.equal(isSampled({ sampler: "parentbased_always_off", ratio: 1 }, "r", known), true);
  assert.equal(isSampled({ sampler: "parentbased_always_on", ratio: 1 }, "r", { ...known, sampled: false }), false);
  assert.equal(isSampled({ sampler: "parentbased_always_off", ratio: 1 }, "r", undefined), false);
});

test("a child has its parent's trace, and its decision where there was one", () => {
  const runId = "0197e3a2-8f00-7000-8000-123456789abc";
  const child = traceOfChild(undefined, runId, `${runId}/a#1:flow`);
  assert.equal(child.id, traceIdOf(runId, undefined));
  assert.equal(child.sampled, undefined);
  const sampling = { sampler: "parentbased_traceidratio", ratio: 0.5 } as const;
  assert.equal(isSampled(sampling, "child", child), isSampled(sampling, runId, undefined));
  assert.equal(traceOfChild({ id: trace, parent: span, sampled: false }, runId, `${runId}/a#1:flow`).sampled, false);
});
