/**
 * OTLP/JSON as specified (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids are hexadecimal, enums
 * numbers, and 64-bit numbers text.
 */
export type OtlpValue = {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: string;
  doubleValue?: number;
  arrayValue?: { values: OtlpValue[] };
};

export type OtlpAttribute = { key: string; value: OtlpValue };

/** Numbers of `SpanKind`. */
export const spanKinds = { internal: 1, client: 3 } as const;

/** The number of `STATUS_CODE_ERROR`. */
const statusError = 2;

export type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  flags: number;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  status: { code?: number; message?: string };
};

export type AttributeValue = string | number | boolean | readonly string[] | undefined;

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** Omits undefined ones. Whole numbers are integers, except where the name says otherwise. */
export function toOtlpAttributes(attributes: Attributes): OtlpAttribute[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toOtlpValue(key, value) }],
  );
}

/** Attributes that the conventions declare as double. */
const doubles: ReadonlySet<string> = new Set(["gen_ai.request.temperature", "gen_ai.request.top_p"]);

function toOtlpValue(key: string, value: Exclude<AttributeValue, undefined>): OtlpValue {
  if (typeof value === "string") return { stringValue: value.toWellFormed() };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value !== "number") return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
  return Number.isSafeInteger(value) && !doubles.has(key) ? { intValue: String(value) } : { doubleValue: value };
}

export function toNanoseconds(ms: number): string {
  return String(BigInt(Math.max(0, Math.round(ms))) * 1_000_000n);
}

/** `message`: for people; undefined if it might reveal content. */
export function failed(message?: string): OtlpSpan["status"] {
  return { code: statusError, ...(message !== undefined && { message: message.toWellFormed() }) };
}

/** The body of an export. */
export function toExportRequest(spans: readonly OtlpSpan[], about: { resource: Attributes; version: string }) {
  return {
    resourceSpans: [
      {
        resource: { attributes: toOtlpAttributes(about.resource) },
        scopeSpans: [{ scope: { name: "weft", version: about.version }, spans }],
      },
    ],
  };
}
