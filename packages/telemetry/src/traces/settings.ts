import { type Sampling, samplers } from "./trace-context.ts";

/** Destination and content of traces. */
export type TraceSettings = {
  /** Accepts `POST` of OTLP/JSON. */
  url: string;
  /** A function, because they contain keys: nothing logs them by accident. */
  headers(): Readonly<Record<string, string>>;
  /** The sender: attributes by name. */
  resource: Readonly<Record<string, string>>;
  sampling: Sampling;
  content: boolean;
  /** Adds OpenInference's attributes to spans, and sends protobuf instead of JSON. Default false. */
  openInference?: boolean;
};

/**
 * OpenTelemetry's own names and semantics:
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const traceVariables = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
  "OTEL_SERVICE_NAME",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_TRACES_SAMPLER",
  "OTEL_TRACES_SAMPLER_ARG",
  "OTEL_SDK_DISABLED",
  "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT",
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads trace settings from the environment. `settings` is undefined if traces are off: no endpoint is set, or
 * `OTEL_SDK_DISABLED` is true. `mistakes`: one sentence each, which never repeats a value.
 */
export function readTraceSettings(env: Environment): { settings: TraceSettings | undefined; mistakes: string[] } {
  const mistakes: string[] = [];
  const read = <T>(name: (typeof traceVariables)[number], expected: string, parse: (text: string) => T | undefined) => {
    const text = env[name]?.trim() ?? "";
    const value = text === "" ? undefined : parse(text);
    if (text !== "" && value === undefined) mistakes.push(`${name} must be ${expected}.`);
    return value;
  };
  const address = "an http or https address such as http://localhost:4318";
  const pairs = "a list of name=value separated by commas";
  const base = read("OTEL_EXPORTER_OTLP_ENDPOINT", address, parseAddress);
  const url = read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", address, parseAddress);
  const common = read("OTEL_EXPORTER_OTLP_HEADERS", pairs, parsePairs) ?? {};
  const own = read("OTEL_EXPORTER_OTLP_TRACES_HEADERS", pairs, parsePairs) ?? {};
  const resource = read("OTEL_RESOURCE_ATTRIBUTES", pairs, parsePairs) ?? {};
  const service = read("OTEL_SERVICE_NAME", "a name", (text) => text);
  const sampler = read("OTEL_TRACES_SAMPLER", `one of ${samplers.join(", ")}`, (text) =>
    samplers.find((name) => name === text),
  );
  const ratio = read("OTEL_TRACES_SAMPLER_ARG", "a number from 0 to 1", parseRatio);
  const isOff = read("OTEL_SDK_DISABLED", "true or false", parseFlag) ?? false;
  const content = read("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true or false", parseFlag) ?? false;
  const target = url ?? (base === undefined ? undefined : `${base.replace(/(?<!\/)\/+$/, "")}/v1/traces`);
  if (target === undefined || isOff) return { settings: undefined, mistakes };
  const headers = { ...common, ...own };
  return {
    settings: {
      url: target,
      headers: () => headers,
      resource: { "service.name": "weft", ...resource, ...(service !== undefined && { "service.name": service }) },
      sampling: { sampler: sampler ?? "parentbased_always_on", ratio: ratio ?? 1 },
      content,
    },
    mistakes,
  };
}

function parseAddress(text: string): string | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.hash === "" ? text : undefined;
}

function parseFlag(text: string): boolean | undefined {
  const flags: Record<string, boolean> = { true: true, false: false };
  return flags[text.toLowerCase()];
}

function parseRatio(text: string): number | undefined {
  const value = Number(text);
  return value >= 0 && value <= 1 ? value : undefined;
}

/** As in `key=value,other=a%20value`. */
function parsePairs(text: string): Record<string, string> | undefined {
  const pairs: [string, string][] = [];
  for (const entry of text.split(",").filter((one) => one.trim() !== "")) {
    const [, name = "", value = ""] = /^\s*([^\s=]+)\s*=(.*)$/s.exec(entry) ?? [];
    const decoded = decode(value.trim());
    if (name === "" || decoded === undefined) return undefined;
    pairs.push([name, decoded]);
  }
  return Object.fromEntries(pairs);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
