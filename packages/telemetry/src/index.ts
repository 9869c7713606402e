export { createTelemetry, type Telemetry } from "./create-telemetry.ts";
export { readTraceSettings, type TraceSettings, traceVariables } from "./traces/settings.ts";
export { readTraceparent } from "./traces/trace-context.ts";
