import { type JsonObject, WeftError } from "@weft/schema";
import { z } from "zod";
import { parseConfig, parseObject } from "../parse-config.ts";
import type { Cleanup } from "../plan-upsert.ts";
import { parseComponent } from "./parse-component.ts";

/**
 * `isOn`: whether what is written is remembered, so that it is not written again and can be deleted. `sourceIdKey`: the
 * metadata that says which source a chunk is of; a chunk without it is of its part's source.
 */
type RecordManagerSettings = { isOn: boolean; cleanup: Cleanup; sourceIdKey: string };

const off = "none";

/** Our own and those of existing clients; where their records are kept is not theirs to say. */
const names = ["built-in", "SQLiteRecordManager", "postgresRecordManager", "MySQLRecordManager"];

const schema = z.object({
  cleanup: z.enum(["none", "incremental", "full"]).default("incremental"),
  sourceIdKey: z.string().min(1).max(200).default("source"),
});

/** Absent: incremental. `none`: off, and nothing is cleaned up. Throws `parameters-invalid` for a name or a setting that is none. */
export function parseRecordManager(value: unknown): RecordManagerSettings {
  const reference = parseComponent("recordManager", value);
  const name = reference?.name ?? "built-in";
  if (name === off) return { isOn: false, cleanup: "none", sourceIdKey: "source" };
  if (!names.includes(name)) {
    const reason = `No record manager is called "${name}". Use one of: ${names.join(", ")}; or "${off}" to have none.`;
    throw new WeftError("parameters-invalid", { params: { reason } });
  }
  return { isOn: true, ...parseConfig({ label: "The record manager", schema, keys: {} }, reference?.config) };
}

/** Metadata for the documents of a request, as an object or as JSON text. Throws `parameters-invalid`. */
export function parseMetadata(value: unknown): JsonObject {
  return parseObject("metadata", value);
}
