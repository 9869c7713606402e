import { createCipheriv, createHash } from "node:crypto";

/** Seals as Flowise does: OpenSSL's salted format, AES-256-CBC, key and IV derived with MD5. `seed` decides the salt. */
export function sealFlowise(fields: Readonly<Record<string, unknown>>, passphrase: string, seed: string): string {
  const salt = createHash("sha256").update(seed).digest().subarray(0, 8);
  let derived = Buffer.alloc(0);
  for (let block = Buffer.alloc(0); derived.length < 48; derived = Buffer.concat([derived, block])) {
    block = createHash("md5").update(block).update(passphrase).update(salt).digest();
  }
  const cipher = createCipheriv("aes-256-cbc", derived.subarray(0, 32), derived.subarray(32, 48));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(fields), "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.from("Salted__"), salt, sealed]).toString("base64");
}
