import { WeftError } from "@weft/schema";
import { z } from "zod";
import { parseConfig } from "../parse-config.ts";
import type { Cleanup } from "../records/plan-upsert.ts";
import { parseComponent } from "./parse-component.ts";

/** `sourceIdKey`: the metadata that says which source a chunk is of; a chunk without it is of its part's source. */
export type RecordManagerSettings = { cleanup: Cleanup; sourceIdKey: string };

/** Our own and those of existing clients; where their records are kept is not theirs to say. */
const names = ["built-in", "SQLiteRecordManager", "postgresRecordManager", "MySQLRecordManager"];

const schema = z.object({
  cleanup: z.enum(["none", "incremental", "full"]).default("incremental"),
  sourceIdKey: z.string().min(1).max(200).default("source"),
});

/** Absent: incremental. Throws `parameters-invalid` for a name or a setting that is none. */
export function parseRecordManager(value: unknown): RecordManagerSettings {
  const reference = parseComponent("recordManager", value);
  const name = reference?.name ?? "built-in";
  if (!names.includes(name)) {
    const reason = `No record manager is called "${name}". Use one of: ${names.join(", ")}.`;
    throw new WeftError("parameters-invalid", { params: { reason } });
  }
  return parseConfig({ label: "The record manager", schema, keys: {} }, reference?.config);
}
