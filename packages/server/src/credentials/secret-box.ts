import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { WeftError } from "@weft/schema";
import type { EncryptionKeys } from "./encryption-keys.ts";

/** The result of opening a sealed text. Failure is expected (a lost key, a changed row), so it is a value. */
export type Opened = { ok: true; plaintext: string } | { ok: false; reason: string };

/** Authenticated encryption of short texts, bound to the record that holds them. */
export type SecretBox = {
  /**
   * `<key id>.<nonce, ciphertext and tag in base64>`; every call has its own nonce. Throws `not-ready` if the current
   * key is among the retired ones.
   */
  seal(plaintext: string, recordId: string, retiredKeyIds?: ReadonlySet<string>): string;
  open(sealed: string, recordId: string): Opened;
};

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const keyIsRetired =
  "its encryption.key is from before a rotation. Copy the file from the data folder in which the keys were rotated";
const givenIsRetired =
  "the last key of its ENCRYPTION_KEY is from before a rotation. Start it with the value with which the keys were rotated";

/** Recently opened texts are cached, because every run with a credential opens it. */
const maxOpened = 500;

type Kept = { key: Buffer; recordId: string; plaintext: string };

/** AES-256-GCM (NIST SP 800-38D), 96-bit random nonce, 128-bit tag; the record's id is the associated data. */
export function createSecretBox(keys: () => EncryptionKeys): SecretBox {
  const opened = new Map<string, Kept>();
  return {
    seal(plaintext, recordId, retiredKeyIds) {
      const { currentId, byId, isGiven } = keys();
      if (retiredKeyIds?.has(currentId)) {
        throw new WeftError("not-ready", { params: { reason: isGiven ? givenIsRetired : keyIsRetired } });
      }
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, keyOf(byId, currentId), nonce).setAAD(Buffer.from(recordId));
      const parts = [nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()];
      return `${currentId}.${Buffer.concat(parts).toString("base64")}`;
    },
    open(sealed, recordId) {
      const [keyId = "", payload = ""] = sealed.split(".", 2);
      const { byId, isGiven } = keys();
      const key = byId.get(keyId);
      const source = isGiven ? "ENCRYPTION_KEY" : "encryption.key";
      if (key === undefined) return { ok: false, reason: `${source} does not contain the key ${keyId}` };
      const known = opened.get(sealed);
      if (known?.key === key && known.recordId === recordId) return { ok: true, plaintext: known.plaintext };
      const plaintext = decrypt(key, Buffer.from(payload, "base64"), recordId);
      if (plaintext === undefined) return { ok: false, reason: "the stored text was modified" };
      opened.set(sealed, { key, recordId, plaintext });
      if (opened.size > maxOpened) opened.delete(opened.keys().next().value ?? "");
      return { ok: true, plaintext };
    },
  };
}

function keyOf(byId: ReadonlyMap<string, Buffer>, id: string): Buffer {
  const key = byId.get(id);
  if (key === undefined) throw new Error("The current encryption key is not among the keys.");
  return key;
}

function decrypt(key: Buffer, payload: Buffer, recordId: string): string | undefined {
  if (payload.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, key, payload.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(recordId)).setAuthTag(payload.subarray(-tagBytes));
  try {
    const body = payload.subarray(nonceBytes, -tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
