import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { readJsonBody, readQuery, unsupportedMediaType } from "@weft/http";
import { assertWithin, beyond, predictionLimits } from "@weft/http/json-limits";
import type { WebhookBodyType, WebhookSettings } from "@weft/nodes";
import { type ErrorItem, isJsonObject, type Json, type JsonObject, parseJson, WeftError } from "@weft/schema";
import { isSigned } from "./standard-webhooks.ts";

type Auth = Exclude<WebhookSettings["auth"], { type: "none" }>;

type Proof<A = Auth> = {
  auth: A;
  headers: Headers;
  /** The body as sent. */
  bytes: Uint8Array;
  /** All of them are valid: during a rotation there are two. */
  secrets: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
};

/** Facts that a request proved. `signedId`: the sender's name for the delivery, if the signature covers it. */
export type Proven = { signedId: string | undefined };

/** Maximum age of a signature, and how far a sender's clock may be ahead. */
const toleranceSeconds = 300;

/**
 * Throws `webhook-unauthenticated` unless the request shows a secret or is signed with one, as its webhook requires.
 * Comparison runs in constant time.
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
/** Svix signs in the same way, under its own header names. */
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

/** The secret itself, or HMAC-SHA256 of the body in hex, with or without the prefix `sha256=`. */
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

/** Digests have equal lengths, so that not even the secret's length leaks. */
function equals(shown: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", shown, "buffer"), hash("sha256", expected, "buffer"));
}

function unauthenticated(reason: string): WeftError {
  return new WeftError("webhook-unauthenticated", { params: { reason } });
}

export type WebhookRequest = { method: string; url: URL; headers: Headers };

/** The value of `$webhook` in a flow. Header names are in lower case. */
export type WebhookPayload = { method: string; headers: JsonObject; query: JsonObject; body: Json };

const formType = "application/x-www-form-urlencoded";
const hidden = "[redacted]";
const secretHeader = /auth|cookie|secret|token|signature|password|api-?key/;

/**
 * Reads a request by its content type: JSON, a form (one whose field `payload` is JSON is that), or text. Secret
 * headers are replaced by a note. Throws `media-type-unsupported`, `body-unparsable`, `body-too-deep` and
 * `limit-exceeded`.
 */
export async function readPayload(
  { method, url, headers }: WebhookRequest,
  bytes: Uint8Array<ArrayBuffer>,
  settings: WebhookSettings,
): Promise<WebhookPayload> {
  const shownIn = "header" in settings.auth ? settings.auth.header : undefined;
  const entries = [...headers].map(([name, value]): [string, string] => [
    name,
    name === shownIn || secretHeader.test(name) ? hidden : value,
  ]);
  return {
    method,
    headers: Object.fromEntries(entries),
    query: { ...readQuery(url.href) },
    body: await readBody(headers, bytes, settings.contentType),
  };
}

/** The value if it is an object; otherwise undefined. */
export function fieldsOf(value: Json): JsonObject | undefined {
  return !isJsonObject(value) ? undefined : value;
}

async function readBody(headers: Headers, bytes: Uint8Array<ArrayBuffer>, expected: string): Promise<Json> {
  const type = headers.get("content-type") ?? "";
  if (bytes.byteLength === 0 && type === "") return {};
  const essence = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (expected !== "any" && essence !== expected) throw unsupportedMediaType(expected, type || "a body without a type");
  if (essence.startsWith("multipart/")) throw unsupportedMediaType("JSON, a urlencoded form or text", type);
  if (bytes.byteLength === 0) return {};
  if (essence === "application/json" || essence.endsWith("+json")) return readJson(headers, bytes);
  if (bytes.byteLength > 4 * predictionLimits.characters) throw beyond(predictionLimits, "characters", "");
  const text = decode(bytes);
  if (text.length > predictionLimits.characters) throw beyond(predictionLimits, "characters", "");
  return essence === formType ? readForm(text) : text;
}

async function readJson(headers: Headers, bytes: Uint8Array<ArrayBuffer>): Promise<Json> {
  const type = headers.get("content-type") ?? "";
  const request = new Request("http://webhook", { method: "POST", headers: { "content-type": type }, body: bytes });
  return (await readJsonBody(request, bytes.byteLength, predictionLimits)) ?? null;
}

function readForm(text: string): Json {
  if (text.split("&", predictionLimits.keys + 1).length > predictionLimits.keys)
    throw beyond(predictionLimits, "keys", "");
  const fields: JsonObject = { ...readQuery(`?${text}`) };
  if (typeof fields.payload !== "string") return fields;
  const payload = parseJson(fields.payload);
  if (payload === undefined) return fields;
  assertWithin(payload, predictionLimits);
  return payload;
}

function decode(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new WeftError("body-unparsable", { params: { reason: "it is not UTF-8 text" }, cause });
  }
}

/** Throws `parameters-invalid` that names every parameter that is missing or of another type. */
export function assertComplete(
  { query, headers, body }: WebhookPayload,
  expected: WebhookSettings["validation"],
): void {
  const fields = fieldsOf(body) ?? {};
  const errors = [
    ...expected.headers.flatMap(({ name, required }) =>
      findMissing(headers, name.toLowerCase(), { required, in: "headers" }),
    ),
    ...expected.query.flatMap(({ name, required }) => findMissing(query, name, { required, in: "query" })),
    ...expected.body.flatMap(({ name, type, required }) => {
      const missing = findMissing(fields, name, { required, in: "body" });
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const fits = missing.length > 0 || value === undefined || value === null || isOfType(value, type);
      return fits ? missing : [{ path: `body.${name}`, message: `must be ${words[type]}` }];
    }),
  ];
  if (errors.length === 0) return;
  const reason = `The request is invalid: ${errors.map(({ path, message }) => `${path} ${message}`).join("; ")}.`;
  throw new WeftError("parameters-invalid", { params: { reason }, errors });
}

type Place = { required: boolean; in: "headers" | "query" | "body" };

function findMissing(values: JsonObject, name: string, place: Place): ErrorItem[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const isMissing = place.required && (value === undefined || value === null || value === "");
  return isMissing ? [{ path: `${place.in}.${name}`, message: "is required" }] : [];
}

const words: Record<WebhookBodyType, string> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  "array[string]": "a list of texts",
  "array[number]": "a list of numbers",
  "array[boolean]": "a list of true and false",
  "array[object]": "a list of objects",
};

function isOfType(value: Json, type: string): boolean {
  const item = /^array\[(\w+)\]$/.exec(type)?.[1];
  if (item !== undefined) return Array.isArray(value) && value.every((one) => isOfType(one, item));
  return type === "object" ? fieldsOf(value) !== undefined : typeof value === type;
}
