import { Buffer } from "node:buffer";
import type { OtlpAttribute, OtlpSpan, OtlpValue, toExportRequest } from "./otlp.ts";

/**
 * An export as the messages of opentelemetry-proto have it, for services that take no JSON: the numbers are those of its
 * fields (https://github.com/open-telemetry/opentelemetry-proto, collector/trace/v1 and what it names).
 */
export function encodeExportRequest({ resourceSpans }: ReturnType<typeof toExportRequest>): Uint8Array {
  return Buffer.concat(
    resourceSpans.map(({ resource, scopeSpans }) =>
      message(1, [
        message(1, resource.attributes.map(toAttribute(1))),
        ...scopeSpans.map(({ scope, spans }) =>
          message(2, [message(1, [text(1, scope.name), text(2, scope.version)]), ...spans.map(toSpan)]),
        ),
      ]),
    ),
  );
}

function toSpan(span: OtlpSpan): Buffer {
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano, attributes, status } = span;
  return message(2, [
    bytes(1, Buffer.from(traceId, "hex")),
    bytes(2, Buffer.from(spanId, "hex")),
    ...(parentSpanId === undefined ? [] : [bytes(4, Buffer.from(parentSpanId, "hex"))]),
    text(5, name),
    integer(6, BigInt(kind)),
    fixed64(7, BigInt(startTimeUnixNano)),
    fixed64(8, BigInt(endTimeUnixNano)),
    ...attributes.map(toAttribute(9)),
    message(15, [
      ...(status.message === undefined ? [] : [text(2, status.message)]),
      ...(status.code === undefined ? [] : [integer(3, BigInt(status.code))]),
    ]),
    fixed32(16, span.flags),
  ]);
}

const toAttribute = (field: number) => (attribute: OtlpAttribute) =>
  message(field, [text(1, attribute.key), message(2, [toValue(attribute.value)])]);

function toValue({ stringValue, boolValue, intValue, doubleValue, arrayValue }: OtlpValue): Buffer {
  if (stringValue !== undefined) return text(1, stringValue);
  if (boolValue !== undefined) return integer(2, boolValue ? 1n : 0n);
  if (intValue !== undefined) return integer(3, BigInt(intValue));
  if (doubleValue !== undefined) return double(4, doubleValue);
  return message(
    5,
    (arrayValue?.values ?? []).map((value) => message(1, [toValue(value)])),
  );
}

/** Wire types of protobuf. */
const wire = { varint: 0, fixed64: 1, length: 2, fixed32: 5 } as const;

const message = (field: number, parts: readonly Buffer[]) => bytes(field, Buffer.concat(parts));
const text = (field: number, value: string) => bytes(field, Buffer.from(value));
const integer = (field: number, value: bigint) => Buffer.concat([tag(field, wire.varint), varint(value)]);

function bytes(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([tag(field, wire.length), varint(BigInt(value.length)), value]);
}

function fixed64(field: number, value: bigint): Buffer {
  const written = Buffer.alloc(8);
  written.writeBigUInt64LE(value);
  return Buffer.concat([tag(field, wire.fixed64), written]);
}

function double(field: number, value: number): Buffer {
  const written = Buffer.alloc(8);
  written.writeDoubleLE(value);
  return Buffer.concat([tag(field, wire.fixed64), written]);
}

function fixed32(field: number, value: number): Buffer {
  const written = Buffer.alloc(4);
  written.writeUInt32LE(value);
  return Buffer.concat([tag(field, wire.fixed32), written]);
}

function tag(field: number, type: number): Buffer {
  return varint(BigInt(field * 8 + type));
}

/** Seven bits a byte, the lowest first. A negative number is its two's complement of 64 bits. */
function varint(value: bigint): Buffer {
  const written: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    const low = Number(rest & 127n);
    if (rest < 128n) return Buffer.from([...written, low]);
    written.push(low + 128);
  }
}
