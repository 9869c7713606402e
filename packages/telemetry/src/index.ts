export { createTelemetry, type Telemetry } from "./create-telemetry.ts";
export { type OwnPrices, readOwnPrices } from "./metrics/model-prices.ts";
export { readTraceSettings, type TraceSettings, traceVariables } from "./traces/settings.ts";
export { readTraceparent } from "./traces/trace-context.ts";
