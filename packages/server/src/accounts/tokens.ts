import type { Clock, IdSource } from "@weft/engine";
import { toMoment } from "@weft/schema";
import { errors, jwtVerify, SignJWT } from "jose";

/** Subject of the tokens that the command line prints. */
export const operatorSubject = "operator";

/** What a token says. */
export type TokenClaims = {
  /** Id of an account, or `operator`. */
  subject: string;
  tokenId: string;
  issuedAtMs: number;
  expiresAtMs: number;
};

export type IssuedToken = { token: string; expiresAt: string };

/** JSON Web Tokens (RFC 7519), HS256. */
export type Tokens = {
  issue(subject: string): Promise<IssuedToken>;
  /** Undefined when the signature, the form or the time is wrong. Knows nothing of revocation. */
  verify(token: string): Promise<TokenClaims | undefined>;
};

export type TokensDeps = { key: Uint8Array; ttlMs: number; clock: Pick<Clock, "now">; ids: IdSource };

const algorithm = "HS256";
const issuer = "weft";

export function createTokens({ key, ttlMs, clock, ids }: TokensDeps): Tokens {
  return {
    async issue(subject) {
      const nowMs = clock.now();
      const expiresAtMs = nowMs + ttlMs;
      // Fractions of a second are allowed (RFC 7519, section 2): a password change voids tokens to the millisecond.
      const token = await new SignJWT()
        .setProtectedHeader({ alg: algorithm, typ: "JWT" })
        .setIssuer(issuer)
        .setSubject(subject)
        .setJti(ids.uuid())
        .setIssuedAt(nowMs / 1_000)
        .setExpirationTime(expiresAtMs / 1_000)
        .sign(key);
      return { token, expiresAt: toMoment(expiresAtMs) };
    },

    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          issuer,
          currentDate: new Date(clock.now()),
          requiredClaims: ["sub", "jti", "iat", "exp"],
        });
        const { sub: subject = "", jti: tokenId = "", iat = 0, exp = 0 } = payload;
        const claims = { subject, tokenId, issuedAtMs: toMs(iat), expiresAtMs: toMs(exp) };
        // The library rounds the present down to a second.
        return claims.expiresAtMs > clock.now() ? claims : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1_000);
}
