export { createTelemetry, type Telemetry } from "./create-telemetry.ts";
export { createModelPrices, type ModelPrices, type OwnPrices, readOwnPrices } from "./prices/model-prices.ts";
export { readTraceSettings, type TraceSettings, traceVariables } from "./traces/settings.ts";
export { readTraceparent } from "./traces/trace-context.ts";
export {
  findTraceDestinations,
  readTracingServices,
  type TraceDestination,
  tracingCredentialTypes,
  tracingServiceTitles,
} from "./traces/tracing-services.ts";
