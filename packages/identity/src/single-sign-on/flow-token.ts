import { hkdfSync } from "node:crypto";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import { EncryptJWT, errors, jwtDecrypt } from "jose";
import { z } from "zod";
import type { Checks } from "./oidc-client.ts";

/** What someone wants of a provider: to get in, to connect it with their account, or to see what it says. */
export type Purpose = "sign-in" | "connect" | "test";

const flowSchema = z.object({
  jti: z.string(),
  exp: z.number(),
  providerId: z.string(),
  purpose: z.enum(["sign-in", "connect", "test"]),
  /** The account that it is for; empty for someone who is not signed in. */
  accountId: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
});

/** A sign-in that has begun. */
export type Flow = Checks & {
  id: string;
  expiresAtMs: number;
  providerId: string;
  purpose: Purpose;
  accountId: string;
};

/** Keeps a sign-in that has begun with the browser that began it, encrypted, so that nobody else can end it. */
export type FlowTokens = {
  issue(flow: Omit<Flow, "id" | "expiresAtMs">): Promise<{ token: string; expiresAtMs: number }>;
  /** Undefined for a token that was not issued here, was changed, or has expired. */
  read(token: string): Promise<Flow | undefined>;
};

const validMs = 10 * 60_000;
const issuer = "weft-sign-in";

/** `key`: the one that signs tokens. What encrypts here is derived from it. */
export function createFlowTokens(key: () => Uint8Array, clock: WallClock, ids: IdSource): FlowTokens {
  const secret = () => new Uint8Array(hkdfSync("sha256", key(), "", issuer, 32));
  return {
    async issue(flow) {
      const expiresAtMs = Math.floor((clock.now() + validMs) / 1_000) * 1_000;
      const token = await new EncryptJWT({ ...flow })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setIssuer(issuer)
        .setJti(ids.uuid())
        .setExpirationTime(expiresAtMs / 1_000)
        .encrypt(secret());
      return { token, expiresAtMs };
    },

    async read(token) {
      try {
        const { payload } = await jwtDecrypt(token, secret(), {
          issuer,
          currentDate: new Date(clock.now()),
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        });
        const { jti: id, exp, ...flow } = flowSchema.parse(payload);
        return { ...flow, id, expiresAtMs: exp * 1_000 };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
