import { pipeline, type Readable, Transform } from "node:stream";
import type { ResponseHeaders } from "./destination.ts";
import type { Hop } from "./hop.ts";
import { createRedactor, type Redactor, redactionMark } from "./redactor.ts";
import { formsOf } from "./secret-forms.ts";
import { type SecretVault, withoutStandIns } from "./secret-vault.ts";

type Answer = { statusText: string; headers: ResponseHeaders; body: Readable; url: URL };

/**
 * An answer without secrets: neither those that were ever sent, nor what looks like one in the headers of this very
 * request. The body passes through; only the beginning of a possible match is held back.
 */
export function redactAnswer<T extends Answer>(answer: T, sent: Hop, vault: SecretVault): T {
  const redactors = [vault.redactor(), createRedactor(secretsOf(sent).flatMap(formsOf))].filter((each) => !each.isIdle);
  const url = new URL(withoutStandIns(answer.url.href, encodeURIComponent(redactionMark)));
  if (redactors.length === 0) return { ...answer, url };
  const redact = (text: string) => redactors.reduce((current, each) => each.text(current), text);
  return {
    ...answer,
    url,
    statusText: redact(answer.statusText),
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(redact) : value && redact(value),
      ]),
    ),
    body: redactors.reduce(redactBody, answer.body),
  };
}

function redactBody(body: Readable, redactor: Redactor): Readable {
  const stream = redactor.open();
  const transform = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const output = stream.push(chunk);
      done(null, output.length === 0 ? undefined : output);
    },
    flush(done) {
      const output = stream.end();
      done(null, output.length === 0 ? undefined : output);
    },
  });
  // The callback exists so that a failure reaches the reader alone; the stream is destroyed with the same error.
  return pipeline(body, transform, () => {});
}

/** Values of headers that a flow wrote out itself, in place of a credential. */
function secretsOf({ headers }: Hop): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretName.test(name))
    .map(([, value]) => value.replace(/^(bearer|basic|token|apikey|digest) +/i, ""))
    .filter((value) => value.length >= minHeaderSecretLength);
}

const secretName = /auth|cookie|secret|token|password|api-?key/;
const minHeaderSecretLength = 8;
