import { createDecipheriv, createHash } from "node:crypto";
import type { Unsealed } from "./flowise-source.ts";

const header = "Salted__";
const saltEnd = 16;
const blockBytes = 16;
const keyBytes = 32;
const secretsManager = "FlowiseCredential_";

/**
 * Opens what Flowise sealed: base64 of OpenSSL's salted format, AES-256-CBC, with key and IV from one round of the
 * derivation with MD5. `passphrase` is the text of `encryption.key`; a line break at its end is not part of it.
 */
export function unseal(sealed: string, passphrase: string | undefined): Unsealed {
  if (sealed.startsWith(secretsManager)) return { reason: "secrets-manager" };
  const bytes = Buffer.from(sealed, "base64");
  const isSealed = bytes.subarray(0, header.length).toString("latin1") === header;
  if (!isSealed || bytes.length <= saltEnd || bytes.length % blockBytes !== 0) return { reason: "damaged" };
  if (passphrase === undefined || passphrase === "") return { reason: "no-key" };
  const fields = open(bytes, passphrase) ?? open(bytes, passphrase.trim());
  return fields === undefined ? { reason: "wrong-key" } : { fields };
}

function open(bytes: Buffer, passphrase: string): Record<string, unknown> | undefined {
  const derived = derive(passphrase, bytes.subarray(header.length, saltEnd));
  const decipher = createDecipheriv("aes-256-cbc", derived.subarray(0, keyBytes), derived.subarray(keyBytes));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(saltEnd)), decipher.final()]);
    const fields: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
    return isFields(fields) ? fields : undefined;
  } catch {
    // Bad padding, or no JSON: their messages quote what was sealed.
    return undefined;
  }
}

function derive(passphrase: string, salt: Uint8Array): Buffer {
  const blocks: Buffer[] = [];
  for (let bytes = 0; bytes < keyBytes + blockBytes; bytes += blockBytes) {
    const block = createHash("md5")
      .update(blocks.at(-1) ?? "")
      .update(passphrase)
      .update(salt);
    blocks.push(block.digest());
  }
  return Buffer.concat(blocks);
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
