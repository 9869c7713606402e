import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const argon2Async = promisify(argon2);

/** Cost parameters of argon2id (RFC 9106). `memory` in KiB. */
export type HashCost = { memory: number; passes: number; parallelism: number };

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
export const usualCost: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

type PasswordHash = HashCost & { nonce: Buffer; tag: Buffer };

/** The argon2id hash of a password as a PHC string (RFC 9106). Runs outside the event loop. */
export async function hashPassword(password: string, cost = usualCost): Promise<string> {
  const nonce = randomBytes(16);
  return toPhc(nonce, await derive(password, { ...cost, nonce, tag: Buffer.alloc(tagLength) }), cost);
}

/** A decoy in the form of a password hash that matches no password: verifying against it costs the same. */
export function createDecoyHash(cost = usualCost): string {
  return toPhc(randomBytes(16), randomBytes(tagLength), cost);
}

/** Whether a password matches the hash. Compares in constant time. Throws if `phc` is not an argon2id hash. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const expected = parseHash(phc);
  return timingSafeEqual(await derive(password, expected), expected.tag);
}

function derive(password: string, { tag, ...parameters }: PasswordHash): Promise<Buffer> {
  const message = password.normalize("NFC");
  return argon2Async("argon2id", { ...parameters, message, tagLength: tag.length });
}

function parseHash(phc: string): PasswordHash {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (match === null) throw new Error("A stored password hash is not a PHC string of argon2id.");
  const [, memory, passes, parallelism, nonce = "", tag = ""] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

function toPhc(nonce: Buffer, tag: Buffer, { memory, passes, parallelism }: HashCost): string {
  const parameters = `m=${memory},t=${passes},p=${parallelism}`;
  return `$argon2id$v=19$${parameters}$${toBase64(nonce)}$${toBase64(tag)}`;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/(?<!=)=+$/, "");
}
