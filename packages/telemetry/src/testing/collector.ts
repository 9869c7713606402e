import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import generated from "@opentelemetry/otlp-transformer/build/src/generated/root.js";
import type { OtlpAttribute, OtlpSpan } from "../traces/otlp.ts";

/** What of the generated code is used; its own types say less. */
type Generated = {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: MessageType } } } } };
};
type MessageType = {
  fromObject(object: object): object;
  verify(message: object): string | null;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
};

/** OpenTelemetry's own messages, generated from opentelemetry-proto. */
const exportRequest = (generated as unknown as Generated).opentelemetry.proto.collector.trace.v1
  .ExportTraceServiceRequest;

type ExportRequest = {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { scope: object; spans: OtlpSpan[] }[] }[];
};

export type Collected = { path: string | undefined; headers: IncomingMessage["headers"]; body: ExportRequest };

export type Collector = {
  url: string;
  requests: Collected[];
  /** Of all requests that were taken. Throws when one of them was not OTLP. */
  spans(): OtlpSpan[];
  /** Answers the requests that follow; undefined takes them. */
  answer: ((response: ServerResponse, count: number) => void) | undefined;
  /** Requests that came, whatever became of them. */
  count(): number;
};

/** A collector that takes OTLP over HTTP, in JSON or protobuf, and nothing that OpenTelemetry's own messages do not hold. */
export async function openCollector(t: Pick<TestContext, "after">): Promise<Collector> {
  const requests: Collected[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      count += 1;
      if (collector.answer) return collector.answer(response, count);
      const sent = Buffer.concat(chunks);
      const isJson = request.headers["content-type"] === "application/json";
      const body = isJson ? JSON.parse(sent.toString()) : readProtobuf(sent);
      try {
        assertOtlp(body);
      } catch (cause) {
        failure = cause;
      }
      requests.push({ path: request.url, headers: request.headers, body });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  let failure: unknown;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans() {
      if (failure !== undefined) throw failure;
      return requests.flatMap(({ body }) =>
        body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      );
    },
    answer: undefined,
    count: () => count,
  };
  return collector;
}

/** An export in protobuf as it is in JSON, without the flags of spans. Throws for anything else. */
export function readProtobuf(bytes: Uint8Array): ExportRequest {
  const read = exportRequest.toObject(exportRequest.decode(bytes), { longs: String, bytes: String, enums: Number });
  return withIds(read as ExportRequest, (base64) => Buffer.from(base64, "base64").toString("hex"));
}

/** Throws for a field that the messages do not have, or that has another type there. */
export function assertOtlp(body: ExportRequest): void {
  const binary = withIds(body, (hex) => Buffer.from(hex, "hex").toString("base64"));
  const message = exportRequest.fromObject(binary);
  assert.equal(exportRequest.verify(message), null);
  const read = exportRequest.toObject(exportRequest.decode(exportRequest.encode(message).finish()), {
    longs: String,
    bytes: String,
    enums: Number,
  });
  assert.deepEqual(JSON.parse(JSON.stringify(withoutDefaults(read))), withoutDefaults(binary));
}

const idFields: ReadonlySet<string> = new Set(["traceId", "spanId", "parentSpanId"]);

/** OTLP/JSON writes ids as hexadecimal where protobuf's JSON has base64. */
function withIds<T>(value: T, toId: (hex: string) => string): T {
  return JSON.parse(JSON.stringify(value), (key, inner) => {
    // The generated messages are from before spans had flags (OTLP 1.1, field 16).
    if (key === "flags") return undefined;
    return idFields.has(key) ? toId(inner) : inner;
  });
}

/** Protobuf does not tell an empty list or text from a missing one. */
function withoutDefaults<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (key, inner) => {
    if (Array.isArray(inner) && inner.length === 0) return undefined;
    if (key === "stringValue" || typeof inner !== "object" || inner === null) return inner;
    return Object.keys(inner).length === 0 && key === "status" ? {} : inner;
  });
}

/** The value of a span's attribute; 64-bit numbers are text. */
export function attributeOf({ attributes }: OtlpSpan, name: string): unknown {
  const value = attributes.find(({ key }) => key === name)?.value;
  if (value === undefined) return undefined;
  const [only] = Object.values(value);
  return value.arrayValue ? value.arrayValue.values.map((one) => Object.values(one)[0]) : only;
}

/** What holds for the spans of every trace that is whole. `outside`: parents that other services have. */
export function assertTrace(spans: readonly OtlpSpan[], outside: readonly string[] = []): void {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  assert.equal(ids.size, spans.length, "two spans have the same id");
  for (const span of spans) {
    assert.match(span.traceId, /^(?!0+$)[0-9a-f]{32}$/);
    assert.match(span.spanId, /^(?!0+$)[0-9a-f]{16}$/);
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), `${span.name} ends before it begins`);
    const { parentSpanId } = span;
    if (parentSpanId === undefined) assert.match(span.name, /^invoke_workflow /);
    else assert.ok(ids.has(parentSpanId) || outside.includes(parentSpanId), `${span.name} has no parent`);
  }
}
