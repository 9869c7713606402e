import { type ErrorItem, type Json, type JsonObject, jsonObjectSchema, parseJson, WeftError } from "@weft/schema";
import { z } from "zod";
import type { Cleanup } from "./plan-upsert.ts";

/** The configuration's owner, as the start of a sentence: `The splitter "token"`. */
type ConfigRule<Config> = {
  label: string;
  schema: z.ZodType<Config>;
  /** Other names of settings: theirs → ours. A setting under its own name wins. */
  keys: Readonly<Record<string, string>>;
};

/**
 * Reads a configuration that may be JSON text, use the names of existing clients, and contain form text in place of
 * numbers, booleans, lists and objects. Empty text, empty lists in text and null count as absent; unknown keys are
 * dropped. Throws `parameters-invalid` with one item per invalid setting.
 */
export function parseConfig<Config>({ label, schema, keys }: ConfigRule<Config>, raw: unknown): Config {
  const types = settingTypes(schema);
  const config: JsonObject = {};
  for (const [given, value] of Object.entries(parseObject(`${label}: its configuration`, raw))) {
    const key = Object.hasOwn(keys, given) ? (keys[given] ?? given) : given;
    if (key !== given && config[key] !== undefined) continue;
    const read = readSetting(value, types[key]);
    if (read !== undefined) config[key] = read;
    else delete config[key];
  }
  const parsed = schema.safeParse(config, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalidConfig(label, parsed.error);
}

/** An object, or its JSON text; undefined, null and empty text are `{}`. Throws `parameters-invalid`. */
export function parseObject(label: string, raw: unknown): JsonObject {
  if (raw === undefined || raw === null) return {};
  if (typeof raw === "string" && raw.trim() === "") return {};
  const value = typeof raw === "string" ? parseJson(raw) : raw;
  const parsed = jsonObjectSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WeftError("parameters-invalid", {
    params: { reason: `${label} must be a JSON object, or the text of one.` },
  });
}

function settingTypes(schema: z.ZodType): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [
      key,
      typeof property === "object" ? property.type : undefined,
    ]),
  );
}

function readSetting(value: Json, type: unknown): Json | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return readText(value, type);
  if (type === "boolean") return parseFormBoolean(value) ?? value;
  return type === "array" && !Array.isArray(value) ? [value] : value;
}

function readText(value: string, type: unknown): Json | undefined {
  const text = value.trim();
  if (value === "" || (text === "" && type !== "string")) return undefined;
  switch (type) {
    case "boolean":
      return parseFormBoolean(text) ?? value;
    case "number":
    case "integer":
      return Number.isNaN(Number(text)) ? value : Number(text);
    case "array":
      return parseList(text);
    case "object":
      return parseJson(text) ?? value;
    default:
      return value;
  }
}

/** JSON text of a list, or comma-separated items; an inline file contains commas of its own. */
function parseList(text: string): Json | undefined {
  if (text.startsWith("data:")) return [text];
  const parsed = text.startsWith("[") ? parseJson(text) : undefined;
  const list = Array.isArray(parsed) ? parsed : text.split(",").map((item) => item.trim());
  const items = list.filter((item) => item !== "");
  return items.length === 0 ? undefined : items;
}

function invalidConfig(label: string, error: z.ZodError): WeftError {
  const errors: ErrorItem[] = error.issues.map((issue) => {
    const isMissing = issue.code === "invalid_type" && issue.input === undefined;
    return { path: `config.${issue.path.join(".")}`, message: isMissing ? "is required" : issue.message };
  });
  const reason = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  return new WeftError("parameters-invalid", { params: { reason: `${label} cannot be used. ${reason}.` }, errors });
}

/** A boolean as forms send it: `true`, `false` in any case, `1`, `0`. Undefined for anything else. */
function parseFormBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = String(value).trim().toLowerCase();
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : undefined;
}

/** One component of an upsert request. `credential` is moved out of the configuration. */
type ComponentReference = { name: string; config: JsonObject; credential?: string };

type ComponentField = "loader" | "splitter" | "embedding" | "vectorStore" | "recordManager";

/** Where existing clients store the id of a credential. */
const credentialKeys = ["credential", "FLOWISE_CREDENTIAL_ID", "credentialId"];

/**
 * Reads `{ name, config }` of a request, as an object or as JSON text. Absent, empty and `{}` are undefined. Throws
 * `parameters-invalid` with the expected form.
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

/** A bare name is the component without settings. */
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
 * `isOn`: whether written chunks are recorded, so that they are not written again and can be deleted. `sourceIdKey`:
 * the metadata that names a chunk's source; a chunk without it has its part's source.
 */
type RecordManagerSettings = { isOn: boolean; cleanup: Cleanup; sourceIdKey: string };

const off = "none";

/** Our own and those of existing clients, who cannot choose where records are kept. */
const names = ["built-in", "SQLiteRecordManager", "postgresRecordManager", "MySQLRecordManager"];

const schema = z.object({
  cleanup: z.enum(["none", "incremental", "full"]).default("incremental"),
  sourceIdKey: z.string().min(1).max(200).default("source"),
});

/** Absent: incremental. `none`: off, with no cleanup. Throws `parameters-invalid` for an unknown name or setting. */
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

/**
 * The identity of a loader within a store: the loader's name and its source, a URL in normal form and any other source
 * unchanged but trimmed. Source: design, "Document store status".
 */
export function loaderIdentity(loader: string, source: string): string {
  return `${loader}|${normaliseUrl(source) ?? source.normalize("NFC").trim()}`;
}

/**
 * Normalises an http(s) URL: case of the host, default port, `.` and `..`, an empty path, no fragment, no user name and
 * password. Undefined for anything else.
 */
export function normaliseUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}
