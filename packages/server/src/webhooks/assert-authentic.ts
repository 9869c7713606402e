import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { WebhookSettings } from "@weft/nodes";
import { WeftError } from "@weft/schema";

export type Proof = {
  auth: Exclude<WebhookSettings["auth"], { type: "none" }>;
  headers: Headers;
  /** The body as it was sent. */
  bytes: Uint8Array;
  secret: string;
};

/**
 * Throws `webhook-unauthenticated` unless the request shows the secret, or signs its body with it: HMAC-SHA256 in hex,
 * with or without `sha256=` before it. Comparing takes the same time whatever differs.
 */
export function assertAuthentic({ auth, headers, bytes, secret }: Proof): void {
  const shown = headers.get(auth.header)?.trim() ?? "";
  if (shown === "") throw unauthenticated(`The header ${auth.header} is missing. Send it.`);
  const isAuthentic =
    auth.type === "plain-token"
      ? equals(shown.replace(/^Bearer\s+/i, ""), secret)
      : equals(shown.replace(/^sha256=/i, "").toLowerCase(), createHmac("sha256", secret).update(bytes).digest("hex"));
  if (isAuthentic) return;
  const what = auth.type === "plain-token" ? "token" : "signature of the body";
  throw unauthenticated(`The ${what} in the header ${auth.header} is wrong.`);
}

/** Digests have one length, so that not even that of the secret shows. */
function equals(shown: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", shown, "buffer"), hash("sha256", expected, "buffer"));
}

function unauthenticated(reason: string): WeftError {
  return new WeftError("webhook-unauthenticated", { params: { reason } });
}
