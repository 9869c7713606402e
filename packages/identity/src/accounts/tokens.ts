import { hash } from "node:crypto";
import { join } from "node:path";
import { type Database, findSetting, type ReadableDatabase, StorageError } from "@weft/database";
import {
  createSecretKey,
  followFile,
  type GivenKeys,
  readSecretFile,
  replaceSecretFile,
  secretKeyBytes,
} from "@weft/database/secret-file";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import { toMoment } from "@weft/schema";
import { errors, jwtVerify, SignJWT } from "jose";

/** Subject of tokens printed by the command line. */
export const operatorSubject = "operator";

/** What a token says. */
export type TokenClaims = {
  /** Id of an account, or `operator`. */
  subject: string;
  tokenId: string;
  /** The account's token generation; 0 for the operator. */
  generation: number;
  expiresAtMs: number;
};

export type IssuedToken = { token: string; expiresAt: string };

/** JSON Web Tokens (RFC 7519), HS256. */
export type Tokens = {
  /** `generation`: default 0. A password change starts a new one. */
  issue(subject: string, generation?: number): Promise<IssuedToken>;
  /** A token with a new id and expiry, valid where the old one is. Undefined for a token that `verify` rejects. */
  renew(token: string): Promise<IssuedToken | undefined>;
  /** Undefined if the signature, the form or the time is wrong. Does not check revocation. */
  verify(token: string): Promise<TokenClaims | undefined>;
};

/** Whether a text has the form of a token: three parts between dots (RFC 7515, section 3.1). */
export function isTokenShaped(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

const algorithm = "HS256";
const issuer = "weft";

/** `key` is called each time: it may be replaced while the process runs. */
export function createTokens({
  key,
  ttlMs,
  clock,
  ids,
}: {
  key: () => Uint8Array;
  ttlMs: number;
  clock: WallClock;
  ids: IdSource;
}): Tokens {
  async function sign(subject: string, generation: number, secret: Uint8Array): Promise<IssuedToken> {
    const nowMs = clock.now();
    const expiresAtMs = nowMs + ttlMs;
    // Fractions of a second are allowed (RFC 7519, section 2): `expiresAt` says when a token ends, to the millisecond.
    const token = await new SignJWT({ gen: generation })
      .setProtectedHeader({ alg: algorithm, typ: "JWT" })
      .setIssuer(issuer)
      .setSubject(subject)
      .setJti(ids.uuid())
      .setIssuedAt(nowMs / 1_000)
      .setExpirationTime(expiresAtMs / 1_000)
      .sign(secret);
    return { token, expiresAt: toMoment(expiresAtMs) };
  }

  async function verify(token: string, secret: Uint8Array): Promise<TokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify<{ gen?: unknown }>(token, secret, {
        algorithms: [algorithm],
        issuer,
        currentDate: new Date(clock.now()),
        requiredClaims: ["sub", "jti", "iat", "exp"],
      });
      const { sub: subject = "", jti: tokenId = "", gen, exp = 0 } = payload;
      const claims = { subject, tokenId, generation: Number(gen ?? 0), expiresAtMs: Math.round(exp * 1_000) };
      // The library rounds the current time down to a second.
      return claims.expiresAtMs > clock.now() ? claims : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  return {
    issue: (subject, generation = 0) => sign(subject, generation, key()),
    verify: (token) => verify(token, key()),
    async renew(token) {
      // One key for both: a rotation must not re-sign a voided token with the next key.
      const secret = key();
      const claims = await verify(token, secret);
      return claims && sign(claims.subject, claims.generation, secret);
    },
  };
}

const fileName = "jwt.key";

/**
 * The key that signs tokens: the given one, else `jwt.key` of the data folder. Call it each time: a rotation replaces
 * the key. Rejects with `StorageError` if the file contains no key.
 */
export async function loadTokenKey(dataDir: string, given?: GivenKeys): Promise<() => Buffer> {
  if (given?.isEmpty === false) {
    const key = parseKey(given.reveal(), "JWT_KEY");
    return () => key;
  }
  const { path, text } = await readSecretFile(dataDir, fileName);
  const parse = (content: string) => parseKey(content, path);
  return followFile({ path, value: parse(text), parse });
}

/** Location of the key: `JWT_KEY` if not empty, otherwise a file. */
export type TokenKeyPlace = { dataDir: string; jwtKey: GivenKeys };

/**
 * The key as `loadTokenKey` has it, which all processes on one PostgreSQL share: the database remembers a hash of it.
 * Another key is the operator's choice where one process uses the database, because a lost file must lock nobody out;
 * where others do, or are meant to (`isShared`, or a key that is given), it is refused with `StorageError`: they would
 * take each other's tokens for forged.
 */
export async function openTokenKey(
  database: Database,
  place: TokenKeyPlace & { isShared: boolean },
): Promise<() => Buffer> {
  const { dataDir, jwtKey, isShared } = place;
  const key = await loadTokenKey(dataDir, jwtKey);
  if (database.dialect === "sqlite") return key;
  const keyId = toKeyId(key());
  if ((await rememberFirst(database, keyId)) === keyId) return key;
  if (isShared || !jwtKey.isEmpty) throw new StorageError(describeForeignKey(place));
  await setTokenKey(database, place);
  return key;
}

function describeForeignKey({ dataDir, jwtKey }: TokenKeyPlace): string {
  const [name, remedy] = jwtKey.isEmpty
    ? [
        join(dataDir, fileName),
        "Copy the file from the data folder of another process, or set JWT_KEY in all of them. If it is lost, run npm run rotate-keys -- --tokens, and copy the new one",
      ]
    : [
        "JWT_KEY",
        "Set it to the value that the other processes have. To sign with this one from now on, run npm run rotate-keys -- --tokens with it",
      ];
  return `${name} is not the key that signs this database's tokens. ${remedy}; everybody must log in again.`;
}

/** The setting with the key's hash. */
const settingName = "tokenKeyId";

function toKeyId(key: Buffer): string {
  return hash("sha256", Buffer.concat([Buffer.from("weft token key "), key]), "hex").slice(0, 24);
}

/** The hash stored in the database: this one, if there was none. */
function rememberFirst(database: Database, value: string): Promise<string> {
  return database.write(async (tx) => {
    const known = await findSetting(tx, settingName);
    if (known === undefined) await tx.insertInto("settings").values({ name: settingName, value }).execute();
    return known ?? value;
  });
}

/** Why a process with this key would not start beside others; undefined if it would. */
export async function findTokenKeyProblem(
  { dialect, read }: ReadableDatabase,
  { dataDir, jwtKey }: TokenKeyPlace,
): Promise<string | undefined> {
  if (dialect === "sqlite") return undefined;
  const known = await findSetting(read, settingName);
  if (known === undefined || known === toKeyId((await loadTokenKey(dataDir, jwtKey))())) return undefined;
  return describeForeignKey({ dataDir, jwtKey });
}

/** Makes a process's key the required one for all processes on the database. False if it already is. */
export async function setTokenKey(database: Database, { dataDir, jwtKey }: TokenKeyPlace): Promise<boolean> {
  const value = toKeyId((await loadTokenKey(dataDir, jwtKey))());
  return database.write(async (tx) => {
    const set = await tx
      .insertInto("settings")
      .values({ name: settingName, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }).where("settings.value", "<>", value))
      .returning("name")
      .executeTakeFirst();
    return set !== undefined;
  });
}

/** Signs with a new key from now on: every token is void. A running server follows within a second. */
export function rotateTokenKey(dataDir: string): Promise<void> {
  return replaceSecretFile(join(dataDir, fileName), `${createSecretKey()}\n`);
}

function parseKey(text: string, path: string): Buffer {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === secretKeyBytes) return key;
  throw new StorageError(
    `${path} holds no key of ${secretKeyBytes} bytes. Delete it to make a new one: everybody must log in again.`,
  );
}
