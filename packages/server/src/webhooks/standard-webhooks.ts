import { createHmac, timingSafeEqual } from "node:crypto";
import { WeftError } from "@weft/schema";

/** The signed content: a message, at the moment of one delivery attempt. */
export type SignedMessage = {
  /** The same in every attempt. Without full stops, which separate the parts of the signed content. */
  id: string;
  /** Seconds since the epoch. */
  timestamp: number;
  body: Uint8Array | string;
};

const prefix = "whsec_";
const minKeyBytes = 16;
const scheme = "v1,";

/** A new secret: 256 bits as `whsec_` and base64. */
export function toStandardSecret(bytes: Uint8Array): string {
  return `${prefix}${Buffer.from(bytes).toString("base64")}`;
}

/**
 * The header `webhook-signature`: one signature per secret, so that a receiver accepts it before and after it learns of
 * a new one. Source: Standard Webhooks 1.0.0, "Signature scheme".
 */
export function toSignatureHeader(secrets: readonly string[], message: SignedMessage): string {
  return secrets.map((secret) => `${scheme}${sign(secret, message).toString("base64")}`).join(" ");
}

/** Whether one of the header's signatures is valid under one of the secrets. Runs in constant time. */
export function isSigned(header: string, secrets: readonly string[], message: SignedMessage): boolean {
  const shown = header
    .split(" ")
    .filter((signature) => signature.startsWith(scheme))
    .map((signature) => Buffer.from(signature.slice(scheme.length), "base64"));
  const expected = secrets.map((secret) => sign(secret, message));
  let isRight = false;
  for (const one of expected) {
    for (const other of shown) {
      const isEqual = one.byteLength === other.byteLength && timingSafeEqual(one, other);
      isRight = isRight || isEqual;
    }
  }
  return isRight;
}

function sign(secret: string, { id, timestamp, body }: SignedMessage): Buffer {
  return createHmac("sha256", toKey(secret)).update(`${id}.${timestamp}.`).update(body).digest();
}

/** The bytes after `whsec_`; a secret without it is the key itself. Throws `flow-invalid` for a short one. */
function toKey(secret: string): Buffer {
  if (!secret.startsWith(prefix)) return Buffer.from(secret);
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  if (key.byteLength >= minKeyBytes) return key;
  const reason = `the secret of its webhook is not ${prefix} and the base64 of at least ${minKeyBytes} bytes. Correct it.`;
  throw new WeftError("flow-invalid", { params: { reason } });
}
