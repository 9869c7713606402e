import { endOfPiece, isLargeJson, jsonPieces } from "@weft/schema";
import { z } from "zod";
import type { Returns, Route } from "../route/define-route.ts";
import { assertIfMatch, isNotModified, toEtag } from "./entity-tag.ts";
import { Written } from "./written.ts";

/** Longer lists are streamed, so that their whole text never exists at once. */
const streamedListLength = 1_000;

/**
 * Longer texts are encoded once, for their tag and for the socket; shorter ones are sent in one piece with the headers.
 */
const bytesFrom = 4_096;

type ResponseContext = { route: Route; request: Request; requestId: string };

/**
 * The response for a handler's value, which is first parsed through the route's schema, so nothing undeclared leaves.
 * Answers to GET and PUT carry an entity tag, except streamed lists.
 */
export function toResponse(value: unknown, { route, request, requestId }: ResponseContext): Response {
  if (value instanceof Response) return completeHeaders(value, requestId);
  if (route.returns === null) return new Response(null, { headers: responseHeaders(requestId, "no-store") });
  const { schema, contentType = "application/json", status = 200 } = route.returns;
  const headers = { ...responseHeaders(requestId, "no-store"), "Content-Type": contentType };
  const isTagged = route.method === "GET" || route.method === "PUT";
  if (value instanceof Written) {
    assertDeclared(value, schema);
    const { bytes, etag } = value;
    return isTagged
      ? toTaggedResponse(bytes, etag, { request, status, headers })
      : new Response(bytes, { status, headers });
  }
  if (Array.isArray(value) && value.length > streamedListLength) {
    return new Response(streamJsonList(value, elementSchema(schema)), { status, headers });
  }
  if (!isTagged && contentType === "application/json") {
    const parsed = schema.parse(value);
    const body = isLargeJson(parsed) ? toTextStream(jsonPieces(parsed)) : JSON.stringify(parsed);
    return new Response(body, { status, headers });
  }
  const text = toText(route.returns, value);
  if (!isTagged) return new Response(toBody(text), { status, headers });
  const body = text.length < bytesFrom ? text : Buffer.from(text);
  return toTaggedResponse(body, toEtag(body), { request, status, headers });
}

/** Throws `precondition-failed` if the request has an If-Match that does not name `current` as the route answers it. */
export function assertMatches({ returns }: Route, { headers }: Request, current: unknown): void {
  assertIfMatch(headers.get("if-match"), () => (returns === null ? "" : toEtag(toText(returns, current))));
}

/** The text of a value as the route answers it. */
function toText({ schema, contentType = "application/json" }: Returns<z.ZodType>, value: unknown): string {
  const parsed = schema.parse(value);
  return contentType === "application/json" ? JSON.stringify(parsed) : String(parsed);
}

type Tagged = { request: Request; status: number; headers: Record<string, string> };

function toTaggedResponse(
  body: string | Uint8Array<ArrayBuffer>,
  etag: string,
  { request, status, headers }: Tagged,
): Response {
  if (request.method === "PUT") return new Response(body, { status, headers: { ...headers, ETag: etag } });
  const tagged: Record<string, string> = { ...headers, ETag: etag, "Cache-Control": "private, no-cache" };
  if (!isNotModified(request.headers.get("if-none-match"), etag))
    return new Response(body, { status, headers: tagged });
  const { "Content-Type": _, ...withoutType } = tagged;
  return new Response(null, { status: 304, headers: withoutType });
}

/** Throws unless the route declares the schema that a handler wrote, directly or as one of the alternatives. */
function assertDeclared({ schema }: Written, declared: z.ZodType): void {
  if (schema === declared || (declared instanceof z.ZodUnion && declared.options.includes(schema))) return;
  throw new Error("The handler answers what was written through a schema that the route does not declare.");
}

/** Adds the common headers to a finished response, which keeps its own. */
export function completeHeaders(response: Response, requestId: string): Response {
  for (const [name, value] of Object.entries(responseHeaders(requestId, "no-store"))) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

function elementSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (schema instanceof z.ZodUnion) {
    const list = schema.options.find((option) => option instanceof z.ZodArray);
    if (list !== undefined) return list.element as z.ZodType;
  }
  throw new Error("The handler answers a list, the schema of the route declares none.");
}

const chunkCharacters = 64 * 1_024;

/**
 * Streams the JSON text of a list, parsing each item through the schema in turn. A client that reads slowly or
 * disconnects stops the work.
 */
function streamJsonList(items: readonly unknown[], item: z.ZodType): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;

  function takeChunk(): string {
    let text = next === 0 ? "[" : "";
    while (next < items.length && text.length < chunkCharacters) {
      text += (next === 0 ? "" : ",") + JSON.stringify(item.parse(items[next]));
      next++;
    }
    return next === items.length ? `${text}]` : text;
  }

  let chunk = takeChunk();
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(encoder.encode(chunk));
      if (next === items.length) controller.close();
      else chunk = takeChunk();
    },
  });
}

const pieceCharacters = 256 * 1_024;

/** The body of an answer: a long text is encoded in pieces, so that it does not block the event loop. */
export function toBody(text: string): string | ReadableStream<Uint8Array> {
  return text.length <= 4 * pieceCharacters ? text : toTextStream(slicesOf(text));
}

/** Streams pieces of a text, each made and encoded in its own turn, when the client takes it. */
function toTextStream(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = iterator.next();
      if (done) {
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(value));
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
}

function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start + pieceCharacters);
    yield text.slice(start, end);
    start = end;
  }
}

/**
 * Headers of every answer. Browsers must not sniff types, caches store nothing unless told otherwise, and the page's
 * origin decides whether it may read an answer.
 */
export function responseHeaders(requestId: string, cacheControl: string): Record<string, string> {
  return {
    "X-Request-Id": requestId,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": cacheControl,
    Vary: "Origin",
  };
}
