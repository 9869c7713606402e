import { createSecretVault } from "@weft/egress";
import { isDeeperThan, isJsonObject, type Json, type JsonObject, parseJson, removedSecret } from "@weft/schema";

/** Removes secrets from exported data. */
export type SecretStripper = {
  /** JSON text keeps its bytes unless it contains a secret. `name`: the setting whose value it is. */
  text(text: string, name?: string): string;
  /** The same value with `[secret]` in place of each secret. */
  value<T extends Json>(value: T): T;
};

/** Names of settings whose text is a secret. Longer names (`tokenUrl`, `apiKeyHeader`) describe one. */
const secretName =
  /(?:authori[sz]ation|cookie|pass(?:word|wd|phrase|code)|pwd|secret|token|jwt|bearer|(?:api|access|private|subscription|auth|client|functions)[-_ ]?key|connection[-_ ]?string)(?:[-_ ]?value)?$/i;
/** Many services name headers, and few of those with such a name carry a plain setting. */
const secretHeader = /auth|token|key|secret|cookie|password|session|signature/i;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const plainText = /^(?:true|false|null|\d{1,5}|https?:\/\/\S*)$/i;
const longestJsonText = 4_000_000;
const deepest = 100;

/** Secrets recognisable by their shape, whatever they are the value of. The first group is kept. */
const shapes: readonly RegExp[] = [
  // linear: what is read holds no five dashes, which a key begins with
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]|-(?!----))*-----END [A-Z ]*PRIVATE KEY-----/g,
  /()\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|wk_[\w-]{16,}|whsec_[\w+/=-]{16,})/g,
  /\b((?:Bearer|Basic|Token)\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi,
  /\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/?#@"'`{}[\]]{1,500}(?=@)/gi,
  /([?&](?:[\w.-]{0,50}(?:key|token|secret|password|signature)|sig|code)=)[^&#\s"'`{}[\]]{6,}/gi,
  /((?:api[-_]?key|secret|password|passwd|token|authorization|cookie)["'`]?\]?\s{0,20}[:=]\s{0,20}["'`])[^"'`\s{}$[][^"'`\n{}$]{5,}(?=["'`])/gi,
];

/**
 * Secrets are found by their values (`known`: those in credentials and the environment, in every spelling), by the
 * names of the settings that hold them, and by their shape. Templates and ids of credentials stay.
 */
export function createSecretStripper(known: Iterable<string>): SecretStripper {
  const vault = createSecretVault();
  for (const value of known) vault.know(value);
  const redactor = vault.redactor();

  function text(given: string, name = "", depth = 0): string {
    if (isSecretName(name) && isLiteral(given)) return removedSecret;
    const parsed = depth < deepest ? parseTree(given) : undefined;
    if (parsed === undefined) return shapes.reduce(withoutShape, withoutTokens(redactor.text(given)));
    const stripped = strip(parsed, { name: "", depth: depth + 1 });
    const isAsGiven = !isDeeperThan(parsed, deepest) && JSON.stringify(stripped) === JSON.stringify(parsed);
    return isAsGiven ? given : JSON.stringify(stripped);
  }

  function strip(value: Json, { name, depth }: Place): Json {
    if (depth > deepest) return null;
    if (typeof value === "string") return text(value, name, depth);
    if (Array.isArray(value)) return value.map((item) => strip(item, { name, depth: depth + 1 }));
    return value !== null && typeof value === "object" ? stripObject(value, { name, depth: depth + 1 }) : value;
  }

  function stripObject(object: JsonObject, { name: parent, depth }: Place): JsonObject {
    const isHeaders = /headers?$/i.test(parent);
    const label = [object.name, object.key, object.header].find((one) => typeof one === "string" && one !== "");
    const isSecretRow = isNameOfSecret(label, isHeaders);
    const entries = Object.entries(object).map(([name, value]): [string, Json] => {
      const isSecret = (name === "value" && isSecretRow) || (isHeaders && isNameOfSecret(name, true));
      return isSecret && typeof value === "string" && isLiteral(value)
        ? [name, removedSecret]
        : [redactor.text(name), strip(value, { name, depth })];
    });
    return Object.fromEntries(entries);
  }

  return {
    text: (given, name) => text(given, name),
    value: <T extends Json>(value: T) => strip(value, { name: "", depth: 0 }) as T,
  };
}

type Place = { name: string; depth: number };

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

function isNameOfSecret(name: unknown, isHeader: boolean): boolean {
  return typeof name === "string" && (isSecretName(name) || (isHeader && secretHeader.test(name)));
}

/** Whether a text may itself be a secret: not a template, an id, or an address, whose secrets have a shape. */
function isLiteral(text: string): boolean {
  const trimmed = text.trim();
  return trimmed !== "" && !trimmed.includes("{{") && !uuid.test(trimmed) && !plainText.test(trimmed);
}

/** Tokens of the form of RFC 7519, at the start of a word. */
function withoutTokens(text: string): string {
  return text.replaceAll(/(?<![\w-])[\w-]{13,}\.[\w-]{10,}\.[\w-]{5,}/g, (all) => {
    const start = all.search(/\beyJ[\w-]{10}/);
    return start >= 0 && start < all.indexOf(".") ? all.slice(0, start) + removedSecret : all;
  });
}

function withoutShape(text: string, shape: RegExp): string {
  return text.replaceAll(shape, (_all, kept: string) => `${kept}${removedSecret}`);
}

function parseTree(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > longestJsonText) return undefined;
  const parsed = parseJson(text);
  return Array.isArray(parsed) || isJsonObject(parsed) ? parsed : undefined;
}
