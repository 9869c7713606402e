import type { FlowiseReport } from "@weft/schema";
import { type FlowiseImportOptions, importFlowise, toImportDeps } from "../flowise-import/index.ts";
import { type PlatformDeps, withIdleParts } from "../platform.ts";

/**
 * Imports into an installation that no server on SQLite has open, and begins nothing here: what is to be embedded is
 * accepted, and done by the server. As `importFlowise`.
 */
export function importInto(platform: PlatformDeps, options: FlowiseImportOptions): Promise<FlowiseReport> {
  const config = { ...platform.config, role: "api" as const };
  return withIdleParts({ ...platform, config }, async (parts) => {
    await parts.runtime.start();
    return importFlowise(toImportDeps(parts), options);
  });
}
