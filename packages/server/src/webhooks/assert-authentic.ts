import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { WebhookSettings } from "@weft/nodes";
import { WeftError } from "@weft/schema";
import { isSigned } from "./standard-webhooks.ts";

type Auth = Exclude<WebhookSettings["auth"], { type: "none" }>;

export type Proof<A = Auth> = {
  auth: A;
  headers: Headers;
  /** The body as it was sent. */
  bytes: Uint8Array;
  /** Each of them is good: during a rotation there are two. */
  secrets: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
};

/** What a request proved. `signedId`: the sender's name for the delivery, where the signature covers it. */
export type Proven = { signedId: string | undefined };

/** How old a signature may be, and how far a sender's clock may be ahead. */
const toleranceSeconds = 300;

/**
 * Throws `webhook-unauthenticated` unless the request shows a secret or is signed with one, as its webhook asks.
 * Comparing takes the same time whatever differs.
 */
export function assertAuthentic(proof: Proof): Proven {
  const { auth, headers } = proof;
  if (auth.type !== "standard-webhooks") return assertShown({ ...proof, auth });
  const family = families.find((name) => headers.has(`${name}-signature`) || headers.has(`${name}-id`));
  if (family !== undefined) return assertSigned(proof, family);
  if (auth.acceptsOlderSignature) {
    return assertShown({ ...proof, auth: { type: "hmac-sha256", header: olderHeader } });
  }
  throw unauthenticated(
    headers.has(olderHeader)
      ? `It is signed with ${olderHeader}, which this webhook no longer accepts. ${howTo} The older header can be accepted in the webhook's settings.`
      : `The headers webhook-id, webhook-timestamp and webhook-signature are missing. ${howTo}`,
  );
}

const olderHeader = "x-webhook-signature";
const howTo = "Sign the request according to Standard Webhooks.";
/** Svix signs in the same way, under names of its own. */
const families = ["webhook", "svix"];

/** Without full stops an id cannot borrow from the timestamp beside it. */
const idPattern = /^[!-\-/-~]{1,255}$/;

function assertSigned({ headers, bytes, secrets, now }: Proof, family: string): Proven {
  const read = (name: string) => {
    const value = headers.get(`${family}-${name}`)?.trim() ?? "";
    if (value === "") throw unauthenticated(`The header ${family}-${name} is missing. ${howTo}`);
    return value;
  };
  const [id, sent, signature] = [read("id"), read("timestamp"), read("signature")];
  if (!idPattern.test(id)) {
    throw unauthenticated(`The header ${family}-id must be 1 to 255 visible characters without a full stop.`);
  }
  if (!/^[1-9]\d{0,11}$/.test(sent)) {
    throw unauthenticated(`The header ${family}-timestamp must be whole seconds since 1970.`);
  }
  const timestamp = Number(sent);
  const differenceSeconds = Math.abs(Math.floor(now / 1_000) - timestamp);
  if (differenceSeconds > toleranceSeconds) {
    const reason = `The timestamp is off by ${differenceSeconds} seconds; at most ${toleranceSeconds} are allowed.`;
    throw unauthenticated(`${reason} Sign every attempt with the current time, and check the sender's clock.`);
  }
  if (!isSigned(signature, secrets, { id, timestamp, body: bytes })) {
    throw unauthenticated(`The signature in the header ${family}-signature is wrong.`);
  }
  return { signedId: id };
}

type Shown = Extract<Auth, { type: "hmac-sha256" | "plain-token" }>;

/** The secret itself, or HMAC-SHA256 of the body in hex, with or without `sha256=` before it. */
function assertShown({ auth, headers, bytes, secrets }: Proof<Shown>): Proven {
  const shown = headers.get(auth.header)?.trim() ?? "";
  if (shown === "") throw unauthenticated(`The header ${auth.header} is missing. Send it.`);
  const isToken = auth.type === "plain-token";
  const given = isToken ? shown.replace(/^Bearer\s+/i, "") : shown.replace(/^sha256=/i, "").toLowerCase();
  const matches = secrets.map((secret) =>
    equals(given, isToken ? secret : createHmac("sha256", secret).update(bytes).digest("hex")),
  );
  if (matches.includes(true)) return { signedId: undefined };
  throw unauthenticated(`The ${isToken ? "token" : "signature of the body"} in the header ${auth.header} is wrong.`);
}

/** Digests have one length, so that not even that of the secret shows. */
function equals(shown: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", shown, "buffer"), hash("sha256", expected, "buffer"));
}

function unauthenticated(reason: string): WeftError {
  return new WeftError("webhook-unauthenticated", { params: { reason } });
}
