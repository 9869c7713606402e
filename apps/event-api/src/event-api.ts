import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Event, parseEventInput, suppliedId } from "./event.ts";
import { seedEvents } from "./seed-events.ts";

/** Bodies above this many bytes are read to their end, not kept, and answered with 500. */
const bodyLimitBytes = 1024 * 1024;

const collectionMethods = ["GET", "HEAD", "POST"];
const eventMethods = ["GET", "HEAD", "PATCH", "DELETE"];

type Answer = { readonly status: number; readonly body?: unknown };
type Route = { readonly method: string; readonly id?: string };

const eventNotFound: Answer = { status: 404, body: { error: "Event not found" } };
const endpointNotFound: Answer = { status: 404, body: { error: "Endpoint not found" } };
const somethingWentWrong: Answer = { status: 500, body: { error: "Something went wrong!" } };

/** An event API with a store of its own. `server` does not listen yet; `handler` fits any `node:http` server. */
export type EventApi = {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  readonly server: Server;
};

export type EventApiOptions = {
  ids?: () => string;
  /** Why a request is not served under the host that it names, for a 421; undefined when it is. Default: all are. */
  refusal?(request: IncomingMessage): string | undefined;
};

/**
 * The reference event API: five seed events in memory, no authentication. Every answer is JSON.
 * `ids` makes the ids of events that bring none (default: random uuids).
 * Source: reference, "Reference event API", its rules and its errors.
 */
export function createEventApi(options: EventApiOptions = {}): EventApi {
  const events = new Map<string, Event>(seedEvents.map((event) => [event.id, event]));
  const ids = options.ids ?? randomUUID;

  function answer(route: Route, text: string | undefined): Answer {
    if (route.id === undefined && route.method === "POST") return create(text);
    if (route.id === undefined) return { status: 200, body: [...events.values()] };
    const event = events.get(route.id);
    if (event === undefined) return eventNotFound;
    if (route.method === "PATCH") return update(event, text);
    if (route.method !== "DELETE") return { status: 200, body: event };
    events.delete(event.id);
    return { status: 204 };
  }

  // A supplied id that exists already is honoured too: the new event takes the old one's place, so ids stay unique.
  function create(text: string | undefined): Answer {
    const body = parseBody(text);
    const parsed = parseEventInput(body);
    if ("error" in parsed) return { status: 400, body: parsed };
    return store({ id: suppliedId(body) ?? ids(), ...parsed.input }, 201);
  }

  function update(event: Event, text: string | undefined): Answer {
    const parsed = parseEventInput(parseBody(text));
    if ("error" in parsed) return { status: 400, body: parsed };
    return store({ id: event.id, ...parsed.input }, 200);
  }

  function store(event: Event, status: number): Answer {
    events.set(event.id, event);
    return { status, body: event };
  }

  async function respond(request: IncomingMessage): Promise<Answer> {
    const refusal = options.refusal?.(request);
    if (refusal !== undefined) return { status: 421, body: { error: refusal } };
    const route = matchRoute(request.method ?? "GET", request.url ?? "/");
    if (route === undefined) return endpointNotFound;
    // Read first, look up and change in one go afterwards: no other request comes between the two.
    const text = route.method === "POST" || route.method === "PATCH" ? await readBody(request) : "";
    return answer(route, text);
  }

  function handler(request: IncomingMessage, response: ServerResponse): void {
    respond(request)
      .catch(() => somethingWentWrong)
      .then((result) => send(response, result))
      .catch(() => response.destroy());
  }

  return { handler, server: createServer(handler) };
}

/** The route of a request, or undefined. A trailing slash equals none; the query is ignored; HEAD is GET without a body. */
function matchRoute(method: string, url: string): Route | undefined {
  const path = url.replace(/^https?:\/\/[^/?]*/i, "").split("?", 1)[0] ?? "";
  const match = /^\/events(?:\/([^/]+))?\/?$/.exec(path);
  if (match === null) return undefined;
  const id = match[1];
  if (!(id === undefined ? collectionMethods : eventMethods).includes(method)) return undefined;
  return id === undefined ? { method } : { method, id: decodeId(id) };
}

/** An id that cannot be decoded names no event; the raw text serves, because it then fails the lookup. */
function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The body's text, or undefined when it is too large. Rejects when the client goes away. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes <= bodyLimitBytes) chunks.push(chunk);
  }
  return sizeBytes <= bodyLimitBytes ? Buffer.concat(chunks).toString("utf8") : undefined;
}

/** Throws on malformed JSON and on a body that was too large; both end as the 500. No body is an empty object. */
function parseBody(text: string | undefined): unknown {
  if (text === undefined) throw new RangeError("body too large");
  return text.trim() === "" ? {} : JSON.parse(text);
}

function send(response: ServerResponse, { status, body }: Answer): void {
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
