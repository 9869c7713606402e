import { Buffer } from "node:buffer";
import type { Hop } from "./hop.ts";
import { type Encode, fillBytes, type SecretVault } from "./secret-vault.ts";

/**
 * The request as sent: with secrets in place of their placeholders, each escaped for its place. Throws `credential-host`
 * if one is not bound to the host. A streamed body is sent as it is.
 */
export function fillHop(vault: SecretVault, hop: Hop): Hop {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(hop.headers)) headers[name] = fillHeader(vault, hop.headers[name] ?? "", hop.url);
  return { ...hop, url: fillUrl(vault, hop.url), headers, ...fillBody(vault, hop) };
}

function fillUrl(vault: SecretVault, url: URL): URL {
  if (!vault.holds(url.href)) return url;
  const filled = new URL(url);
  filled.pathname = vault.fill(url.pathname, url, encodeURIComponent);
  filled.search = vault.fill(url.search, url, encodeURIComponent);
  return filled;
}

/** Surrounding space cannot be sent (RFC 9110, section 5.5). */
function fillHeader(vault: SecretVault, value: string, url: URL): string {
  const trimmed: Encode = (secret) => secret.trim();
  const [, scheme = "", encoded = ""] = /^(Basic )([A-Za-z0-9+/=]+)$/i.exec(value) ?? [];
  const decoded = scheme === "" ? "" : Buffer.from(encoded, "base64").toString();
  if (!vault.holds(decoded)) return vault.fill(value, url, trimmed);
  return scheme + Buffer.from(vault.fill(decoded, url)).toString("base64");
}

function fillBody(vault: SecretVault, { body, headers, url }: Hop): Pick<Hop, "body"> {
  if (typeof body === "string") {
    return vault.holds(body) ? { body: vault.fill(body, url, encoderOf(headers["content-type"] ?? "")) } : {};
  }
  if (!(body instanceof Uint8Array)) return {};
  return { body: fillBytes(vault, body, url, encoderOf(headers["content-type"] ?? "")) };
}

function encoderOf(contentType: string): Encode | undefined {
  if (/json/i.test(contentType)) return (value) => JSON.stringify(value).slice(1, -1);
  return /x-www-form-urlencoded/i.test(contentType) ? encodeURIComponent : undefined;
}
