export { createTelemetry, type Telemetry } from "./create-telemetry.ts";
