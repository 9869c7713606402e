import { redactedCredentialValue } from "@weft/schema";

/** The values of a credential by field name. */
export type SecretFields = Record<string, string>;

/** Values as a client sends them: numbers and flags are kept as text. */
export type GivenFields = Record<string, string | number | boolean | null>;

/** The stored values with the given ones laid over them: `""` and the redaction marker change nothing, null removes. */
export function mergeSecretFields(stored: SecretFields, given: GivenFields): SecretFields {
  const merged = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) merged.delete(name);
    else if (value !== "" && value !== redactedCredentialValue) merged.set(name, String(value));
  }
  return Object.fromEntries(merged);
}

/**
 * Whether a value is not a secret and shapes the request itself, so that the code that makes requests must know
 * it: addresses, user names and the names of headers.
 */
export function isPlainField(name: string, fields: SecretFields): boolean {
  if (name === "key") return fields.value !== undefined;
  return plainNames.has(name);
}

const plainNames = new Set([
  ...["baseUrl", "apiKeyHeaderName", "username", "basicAuthUsername", "user"],
  ...["googleCustomSearchApiId", "searchEngineId", "engineId"],
]);
