import { type JsonObject, parseJson, WeftError } from "@weft/schema";
import { z } from "zod";
import { parseConfig, parseObject } from "./parse-config.ts";
import type { Cleanup } from "./plan-upsert.ts";

/** What a request says of one part of an upsert. `credential` is taken out of the configuration. */
type ComponentReference = { name: string; config: JsonObject; credential?: string };

type ComponentField = "loader" | "splitter" | "embedding" | "vectorStore" | "recordManager";

/** Where existing clients keep the id of a credential. */
const credentialKeys = ["credential", "FLOWISE_CREDENTIAL_ID", "credentialId"];

/**
 * Reads `{ name, config }` of a request, as an object or as JSON text. Absent, empty and `{}` are undefined.
 * Throws `parameters-invalid` that says how it should look.
 */
export function parseComponent(field: ComponentField, value: unknown): ComponentReference | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const given = typeof value === "string" ? toNamed(value) : value;
  const { name, config, ...rest } = parseObject(field, given);
  if (name === undefined || name === null || name === "") {
    if (config === undefined && Object.keys(rest).length === 0) return undefined;
    throw malformed(field);
  }
  if (typeof name !== "string") throw malformed(field);
  return { name: name.trim(), ...splitCredential(parseObject(`${field}.config`, config)) };
}

/** A bare name stands for itself without settings. */
function toNamed(text: string): unknown {
  return parseJson(text) ?? (/^[\w-]{1,100}$/.test(text.trim()) ? { name: text } : text);
}

function splitCredential(config: JsonObject): { config: JsonObject; credential?: string } {
  const settings = Object.fromEntries(Object.entries(config).filter(([key]) => !credentialKeys.includes(key)));
  const credential = credentialKeys.map((key) => config[key]).find((id) => typeof id === "string" && id.trim() !== "");
  return typeof credential === "string" ? { config: settings, credential: credential.trim() } : { config: settings };
}

function malformed(field: ComponentField): WeftError {
  const reason = `${field} must be an object with a name and a config, for example { "name": "…", "config": {} }.`;
  return new WeftError("parameters-invalid", { params: { reason }, errors: [{ path: field, message: reason }] });
}

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
