import type { ResponseHeaders } from "./destination.ts";
import type { Hop } from "./hop.ts";
import { formsOf } from "./secret-forms.ts";
import { createRedactor, type Redactor, redactionMark, type SecretVault, withoutPlaceholders } from "./secret-vault.ts";

/**
 * Finds what an answer must not contain: secrets that were ever sent, and likely secrets in the request's own headers.
 */
export type FindRedactors = (sent: Hop) => readonly Redactor[];

/** Redactors of headers that are kept; oldest evicted first. */
const maxKept = 100;

export function createFindRedactors(vault: SecretVault): FindRedactors {
  const kept = new Map<string, Redactor>();

  function ofHeaders(secrets: readonly string[]): Redactor {
    const key = secrets.join("\n");
    const known = kept.get(key);
    if (known !== undefined) return known;
    const redactor = createRedactor(secrets.flatMap(formsOf));
    kept.set(key, redactor);
    if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? "");
    return redactor;
  }

  return (sent) => {
    const found = [vault.redactor()];
    const unknown = secretsOf(sent).filter((value) => !vault.knows(value));
    if (unknown.length > 0) found.push(ofHeaders(unknown));
    return found.filter(({ isIdle }) => !isIdle);
  };
}

/** Values of headers that a flow spelt out itself instead of using a credential. */
function secretsOf({ headers }: Hop): string[] {
  const found: string[] = [];
  for (const name of Object.keys(headers)) {
    if (!secretName.test(name)) continue;
    const value = headers[name]?.replace(/^(bearer|basic|token|apikey|digest) +/i, "") ?? "";
    if (value.length >= minHeaderSecretLength) found.push(value);
  }
  return found;
}

const secretName = /auth|cookie|secret|token|password|api-?key/;
const minHeaderSecretLength = 8;

/** The address of an answer, redacted for display. */
export function redactUrl(url: URL): URL {
  const shown = withoutPlaceholders(url.href, encodeURIComponent(redactionMark));
  return shown === url.href ? url : new URL(shown);
}

type Head = { statusText: string; headers: ResponseHeaders };

/** The head of an answer, without secrets. */
export function redactHead({ statusText, headers }: Head, redactors: readonly Redactor[]): Head {
  const redact = (text: string) => redactors.reduce((current, each) => each.text(current), text);
  // One look at everything usually suffices: there are no secrets.
  const whole = `${statusText}\n${Object.values(headers).flat().join("\n")}`;
  if (redact(whole) === whole) return { statusText, headers };
  const redacted = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(redact) : value && redact(value),
  ]);
  return { statusText: redact(statusText), headers: Object.fromEntries(redacted) };
}
