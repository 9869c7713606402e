import { Buffer } from "node:buffer";
import { bytes, concatenate, double, fixed32, fixed64, integer, message, text } from "@weft/schema/protobuf";
import type { OtlpAttribute, OtlpSpan, OtlpValue, toExportRequest } from "./otlp.ts";

/**
 * Encodes an export as messages of opentelemetry-proto, for services that do not accept JSON: the numbers are its field
 * numbers (https://github.com/open-telemetry/opentelemetry-proto, collector/trace/v1 and what it names).
 */
export function encodeExportRequest({ resourceSpans }: ReturnType<typeof toExportRequest>): Uint8Array {
  return concatenate(
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

function toSpan(span: OtlpSpan): Uint8Array {
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

function toValue({ stringValue, boolValue, intValue, doubleValue, arrayValue }: OtlpValue): Uint8Array {
  if (stringValue !== undefined) return text(1, stringValue);
  if (boolValue !== undefined) return integer(2, boolValue ? 1n : 0n);
  if (intValue !== undefined) return integer(3, BigInt(intValue));
  if (doubleValue !== undefined) return double(4, doubleValue);
  return message(
    5,
    (arrayValue?.values ?? []).map((value) => message(1, [toValue(value)])),
  );
}
