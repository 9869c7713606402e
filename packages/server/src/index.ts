export { createTokens, loadTokenKey, operatorSubject } from "@weft/identity";
export type { Resolvers, RunHooks } from "@weft/run-host";
export { systemClock } from "@weft/run-host";
export { type Config, ConfigError, readConfig } from "./config.ts";
export { checkNeeds, type NeedsDeps } from "./flows/check-needs.ts";
export { readCommandSettings } from "./mcp/index.ts";
export { openPlatform, type Platform } from "./platform.ts";
