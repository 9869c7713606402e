import { type JsonObject, parseJson, WeftError } from "@weft/schema";
import { parseObject } from "../parse-config.ts";

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
