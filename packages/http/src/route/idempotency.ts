import { createHash, hash } from "node:crypto";
import type { IdSource } from "@weft/engine/ports/clock";
import { jsonPieces, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import { responseHeaders } from "../answer/to-response.ts";
import type { Route } from "./define-route.ts";
import type { Identity } from "./identity.ts";

/** The record of a request with an Idempotency-Key. */
export type IdempotencyEntry = {
  keyHash: string;
  bodyHash: string;
  /** Id of the item that the request creates, fixed in advance. */
  resourceId: string;
};

/**
 * `answer` is null until there is one. `begunDate`: when a request of this key last started, no two at the same moment.
 */
export type KeptEntry = IdempotencyEntry & { isNew: boolean; answer: string | null; begunDate: string };

/** Remembers keys for 24 hours. */
export type IdempotencyStore = {
  /** Stores the entry unless its key is known. Resolves with the stored one, and its answer once there is one. */
  begin(entry: IdempotencyEntry): Promise<KeptEntry>;
  finish(keyHash: string, answer: string): Promise<void>;
  /**
   * For requests that were rejected and left nothing behind: the key may be used again. False, and the key stays known,
   * if it has been started again since: another process may be creating what was refused here.
   */
  forget(entry: KeptEntry): Promise<boolean>;
  /**
   * Forgets requests that created something of one of these names, or whose answers mention one. Resolves with the
   * count.
   */
  forgetNamed(names: ReadonlySet<string>): Promise<number>;
};

export type RepeatableRequest = {
  route: Route;
  request: Request;
  requestId: string;
  identity: Identity | undefined;
  clientAddress(): string;
  /** Everything that distinguishes one request from another. */
  content: unknown;
  respond(newId: string | undefined): Promise<Response>;
  /** Answers an equal request from what it created; undefined if it created nothing. */
  recall(newId: string): Promise<Response | undefined>;
};

/** Handles requests with the same Idempotency-Key once, others as they come. */
export type Idempotency = { respond(repeatable: RepeatableRequest): Promise<Response> };

/**
 * - I1 The key is durable before its request is handled, with the id that the request gives to what it creates.
 * - I2 A repetition gets the kept answer, or what exists under that id; else it is handled again with the same id: two
 *   processes, or one that died in between, create it once. A process that is refused forgets the key only while no other
 *   one has taken it up.
 * - I3 A repetition during the request is refused, unless the route can recall what is still running. Which of two is the
 *   repetition is decided by their arrival, before anything is awaited.
 */
export function createIdempotency(store: IdempotencyStore, ids: IdSource): Idempotency {
  const running = new Map<string, Promise<KeptEntry>>();

  async function respondOnce(repeatable: RepeatableRequest, key: string): Promise<Response> {
    const keyHash = toKeyHash(repeatable, key);
    const ahead = running.get(keyHash);
    const bodyHash = toBodyHash(repeatable, key);
    if (ahead !== undefined) {
      const entry = await ahead;
      return replayOf(repeatable, await bodyHash, entry) ?? recallRunning(repeatable, entry.resourceId);
    }
    const begun = begin(keyHash, bodyHash);
    running.set(keyHash, begun);
    try {
      const entry = await begun;
      return replayOf(repeatable, await bodyHash, entry) ?? (await makeAnswer(repeatable, entry));
    } finally {
      running.delete(keyHash);
    }
  }

  async function begin(keyHash: string, bodyHash: Promise<string>): Promise<KeptEntry> {
    return store.begin({ keyHash, bodyHash: await bodyHash, resourceId: ids.uuid() });
  }

  async function makeAnswer(repeatable: RepeatableRequest, entry: KeptEntry): Promise<Response> {
    try {
      // A new request is handled at once: a repetition finds what it runs.
      const recalled = entry.isNew ? undefined : await repeatable.recall(entry.resourceId);
      const response = recalled ?? (await repeatable.respond(entry.resourceId));
      if (isJson(response)) await store.finish(entry.keyHash, await response.clone().text());
      return response;
    } catch (error) {
      if (entry.isNew && (!isRefusal(error) || (await store.forget(entry)))) throw error;
      // The repeated request, or another process under this key, may have committed since.
      const late = await repeatable.recall(entry.resourceId);
      if (late === undefined) throw error;
      return late;
    }
  }

  return {
    async respond(repeatable) {
      const key = repeatable.request.headers.get("idempotency-key");
      if (key === null || repeatable.route.recall === undefined) return repeatable.respond(undefined);
      if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw new WeftError("idempotency-key-invalid");
      return respondOnce(repeatable, key);
    },
  };
}

/** The stored answer, if any. Throws `idempotency-key-reused` if the key is that of another request. */
function replayOf({ requestId }: RepeatableRequest, bodyHash: string, entry: KeptEntry): Response | undefined {
  if (entry.bodyHash !== bodyHash) throw new WeftError("idempotency-key-reused");
  return entry.answer === null ? undefined : toReplay(entry.answer, requestId);
}

async function recallRunning({ route, recall }: RepeatableRequest, id: string): Promise<Response> {
  const recalled = route.recallsRunning ? await recall(id) : undefined;
  if (recalled === undefined) throw new WeftError("idempotency-key-running");
  return recalled;
}

/** A key belongs to its caller and operation. A caller without credentials is known only by address. */
function toKeyHash({ route, identity, clientAddress }: RepeatableRequest, key: string): string {
  const owner = toOwner(identity) ?? `anyone ${clientAddress()}`;
  return hash("sha256", JSON.stringify([owner, route.operationId, key]), "base64url");
}

/**
 * Hashed with the key, which is not stored: a secret in a body could be guessed from its hash alone. A large body is
 * hashed in turns with the rest of the process.
 */
async function toBodyHash({ content }: RepeatableRequest, key: string): Promise<string> {
  const hash = createHash("sha256");
  const pause = createPause();
  for (const piece of jsonPieces([key, content])) {
    hash.update(piece);
    await pause();
  }
  return hash.digest("base64url");
}

function toOwner(identity: Identity | undefined): string | undefined {
  switch (identity?.kind) {
    case "account":
      return `account ${identity.accountId}`;
    case "api-key":
      return `api-key ${identity.clientId}`;
    default:
      return identity?.kind;
  }
}

function toReplay(answer: string, requestId: string): Response {
  const headers = { ...responseHeaders(requestId, "no-store"), "Content-Type": "application/json" };
  return new Response(answer, { headers: { ...headers, "Idempotent-Replayed": "true" } });
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/json") ?? false;
}

function isRefusal(error: unknown): boolean {
  return error instanceof WeftError && error.status < 500;
}
