import type { FlowiseReport } from "@weft/schema";
import { startFeatures } from "../feature.ts";
import type { FlowiseImportOptions } from "../flowise-import/index.ts";
import { type PlatformDeps, withIdlePlatform } from "../platform.ts";

/**
 * Imports into an installation that no server on SQLite has open, and starts nothing here: embeddings are queued for
 * the server. Like `importFlowise`.
 */
export function importInto(platform: PlatformDeps, options: FlowiseImportOptions): Promise<FlowiseReport> {
  const config = { ...platform.config, role: "api" as const };
  return withIdlePlatform({ ...platform, config }, async ({ flowiseImport }, features) => {
    await startFeatures(features.filter(({ name }) => name === "executions"));
    return flowiseImport(options);
  });
}
