import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { WritableDatabase } from "@weft/database";

/** Seals notes that only processes on the same database can write and read, even if others can access the transport. */
export type NoteBox = {
  /** `channel`: where the note is sent; it opens nowhere else. */
  seal(channel: string, text: string): string;
  /** Undefined if the text was not sealed for the channel by a process of this database. */
  open(channel: string, sealed: string): string | undefined;
};

const settingName = "relay-key";
const keyBytes = 32;

/** Loads the key that the processes on a database share: created by the first of them, and stored only there. */
export async function loadNoteKey(database: WritableDatabase): Promise<Uint8Array> {
  const value = await database.write(async (tx) => {
    await tx
      .insertInto("settings")
      .values({ name: settingName, value: randomBytes(keyBytes).toString("base64") })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const row = await tx
      .selectFrom("settings")
      .select("value")
      .where("name", "=", settingName)
      .executeTakeFirstOrThrow();
    return row.value;
  });
  return Buffer.from(value, "base64");
}

const algorithm = "aes-256-gcm";
const [saltBytes, nonceBytes, tagBytes] = [16, 12, 16];
const headBytes = saltBytes + nonceBytes + tagBytes;
/** Processes come and go; the key of one that returns is derived again. */
const mostKnown = 256;

/**
 * AES-256-GCM (NIST SP 800-38D) under a key of this process, derived from the shared one and a salt prefixed to each
 * note (HKDF, RFC 5869). The nonce is a counter, so it never repeats.
 */
export function createNoteBox(key: Uint8Array): NoteBox {
  const known = new Map<string, Buffer>();
  const salt = randomBytes(saltBytes);
  const own = deriveKey(key, salt);
  let count = 0n;

  function keyOf(other: Buffer): Buffer {
    const name = other.toString("base64");
    const found = known.get(name) ?? deriveKey(key, other);
    known.delete(name);
    known.set(name, found);
    if (known.size > mostKnown) known.delete(known.keys().next().value ?? "");
    return found;
  }

  return {
    seal(channel, text) {
      const nonce = Buffer.alloc(nonceBytes);
      count += 1n;
      nonce.writeBigUInt64BE(count);
      const cipher = createCipheriv(algorithm, own, nonce).setAAD(Buffer.from(channel));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]).toString("base64");
    },
    open(channel, sealed) {
      const bytes = Buffer.from(sealed, "base64");
      if (bytes.length < headBytes) return undefined;
      const nonceAt = saltBytes;
      const tagAt = nonceAt + nonceBytes;
      try {
        const decipher = createDecipheriv(
          algorithm,
          keyOf(bytes.subarray(0, nonceAt)),
          bytes.subarray(nonceAt, tagAt),
          {
            authTagLength: tagBytes,
          },
        );
        decipher.setAAD(Buffer.from(channel)).setAuthTag(bytes.subarray(tagAt, headBytes));
        return Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()]).toString();
      } catch {
        return undefined;
      }
    },
  };
}

function deriveKey(key: Uint8Array, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, "weft run notes", keyBytes));
}
