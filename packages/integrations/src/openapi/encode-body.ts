import type { Json } from "@weft/schema";
import { toPlainText, toQueryPairs } from "../query-value.ts";
import { asObject } from "./resolve-reference.ts";

export type EncodedBody = { contentType: string; body: string | Uint8Array };

/** A value as a body of the media type: JSON, form, multipart with text fields, or text as it is. */
export async function encodeBody(mediaType: string, value: Json): Promise<EncodedBody> {
  const type = mediaType.toLowerCase();
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return { contentType: "application/x-www-form-urlencoded", body: new URLSearchParams(toPairs(value)).toString() };
  }
  if (type.startsWith("multipart/form-data")) return encodeMultipart(toPairs(value));
  if (type.includes("json")) return { contentType: mediaType, body: JSON.stringify(value) };
  return { contentType: type.includes("*") ? "text/plain" : mediaType, body: toPlainText(value) };
}

function toPairs(value: Json): [string, string][] {
  return Object.entries(asObject(value)).flatMap(([name, member]) => toQueryPairs(name, member));
}

/** RFC 7578; the runtime chooses a boundary and escapes the names. */
async function encodeMultipart(pairs: readonly (readonly [string, string])[]): Promise<EncodedBody> {
  const form = new FormData();
  for (const [name, value] of pairs) form.append(name, value);
  const response = new Response(form);
  return {
    contentType: response.headers.get("content-type") ?? "multipart/form-data",
    body: new Uint8Array(await response.arrayBuffer()),
  };
}
