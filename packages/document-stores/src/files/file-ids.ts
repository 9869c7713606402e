import type { JsonObject } from "@weft/schema";

/** The files that a loader's configuration names: ids, or whole files written out. */
export function fileIds(config: JsonObject): string[] {
  const { files } = config;
  return Array.isArray(files) ? files.filter((file) => typeof file === "string") : [];
}
