export type { Resolvers, RunHooks } from "@weft/run-host";
export { systemClock } from "@weft/run-host";
export { loadTokenKey } from "./accounts/key-file.ts";
export { createTokens, operatorSubject } from "./accounts/tokens.ts";
export { type Config, ConfigError, readConfig } from "./config.ts";
export { checkNeeds, type NeedsDeps } from "./flows/check-needs.ts";
export { readCommandSettings } from "./mcp/command-settings.ts";
export { openPlatform, type Platform } from "./platform.ts";
