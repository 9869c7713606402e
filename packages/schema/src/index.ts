export * from "./error-code.ts";
export * from "./finding.ts";
export * from "./flow.ts";
export * from "./json.ts";
export * from "./run-event.ts";
export * from "./weft-error.ts";
