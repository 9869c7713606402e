import type { FlowiseReport } from "@weft/schema";
import { startFeatures } from "../feature.ts";
import type { FlowiseImportOptions } from "../flowise-import/index.ts";
import { type PlatformDeps, withIdlePlatform } from "../platform.ts";

/**
 * Imports into an installation that no server on SQLite has open, and begins nothing here: what is to be embedded is
 * accepted, and done by the server. As `importFlowise`.
 */
export function importInto(platform: PlatformDeps, options: FlowiseImportOptions): Promise<FlowiseReport> {
  const config = { ...platform.config, role: "api" as const };
  return withIdlePlatform({ ...platform, config }, async ({ flowiseImport }, features) => {
    await startFeatures(features.filter(({ name }) => name === "executions"));
    return flowiseImport(options);
  });
}
