import { type ErrorItem, type Json, type JsonObject, jsonObjectSchema, parseJson, WeftError } from "@weft/schema";
import { z } from "zod";

/** What a configuration is of, as the start of a sentence: `The splitter "token"`. */
type ConfigRule<Config> = {
  label: string;
  schema: z.ZodType<Config>;
  /** Other names of settings: theirs → ours. A setting under its own name wins. */
  keys: Readonly<Record<string, string>>;
};

/**
 * Reads a configuration that may be JSON text, use the names of existing clients, and hold form text where numbers,
 * booleans, lists and objects belong. Empty text, empty lists in text and null count as absent; unknown keys are
 * dropped. Throws `parameters-invalid` with one item for each setting that does not fit.
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

/** An object, or the JSON text of one; nothing, null and empty text are `{}`. Throws `parameters-invalid`. */
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

/** JSON text of a list, or its items with commas between; a file that is written out has commas of its own. */
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
