import type { Json } from "@weft/schema";

/** Shorter values are words that may stand anywhere. */
const shortestSecret = 6;

export type Redact = <T extends Json>(value: T) => T;

/** Takes the values of secrets out of everything that a text or a JSON value says. */
export function createRedaction(secrets: readonly string[]): Redact {
  const hidden = secrets.filter(({ length }) => length >= shortestSecret).sort((a, b) => b.length - a.length);

  function redact(value: Json): Json {
    if (typeof value === "string") return hidden.reduce((text, secret) => text.replaceAll(secret, "[secret]"), value);
    if (Array.isArray(value)) return value.map(redact);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redact(inner)]));
  }

  return <T extends Json>(value: T) => (hidden.length === 0 ? value : (redact(value) as T));
}
