import { hash } from "node:crypto";
import type { IdSource } from "@weft/engine/ports/clock";
import type { IdempotencyStore, KeptEntry } from "@weft/http";
import { WeftError } from "@weft/schema";

export type Delivery = {
  agentId: string;
  method: string;
  url: URL;
  headers: Headers;
  /** The sender's own name for it, if a signature covers that: no other name counts then. */
  signedId: string | undefined;
};

export type Handling<T> = {
  /** Starts the run of this id, and answers. */
  start(runId: string): Promise<T>;
  /** Whether the run of this id exists. */
  hasBegun(runId: string): Promise<boolean>;
  /** The answer of the run of this id; undefined if there is none. */
  recall(runId: string): Promise<T | undefined>;
};

/**
 * Requests by their senders' names: a signed id, `Idempotency-Key`, or the sender's well-known header. Names are kept
 * longer than a signature is valid, so that a captured request never runs again.
 */
export type Deliveries = {
  /**
   * Handles a delivery once within 24 hours; a repetition gets the answer of the same run. Rejects with
   * `idempotency-key-reused` for another request of that name. One without a name is always handled.
   */
  once<T>(delivery: Delivery, bytes: Uint8Array, handling: Handling<T>): Promise<T>;
  /**
   * Handles, once, a delivery that starts no run of its own. A repetition gets what `keep` stored of the answer, or
   * rejects with `conflict` if there is nothing. One without a signed id is always handled.
   */
  answerOnce<T>(delivery: Delivery, bytes: Uint8Array, answering: Answering<T>): Promise<T>;
};

export type Answering<T> = {
  answer(): Promise<T>;
  /** The answer as text; undefined for one that cannot be stored. */
  keep(answer: T): Promise<string | undefined>;
  restore(kept: string): T;
};

/** Standard Webhooks, GitHub, GitLab, Shopify and Svix, each with the id of its delivery. */
const names = [
  "idempotency-key",
  "webhook-id",
  "x-github-delivery",
  "x-gitlab-event-uuid",
  "x-shopify-webhook-id",
  "svix-id",
];

export function createDeliveries(store: IdempotencyStore, ids: IdSource): Deliveries {
  const running = new Map<string, Promise<unknown>>();

  async function handle<T>(entry: KeptEntry, { start, recall, hasBegun }: Handling<T>): Promise<T> {
    const { resourceId, isNew } = entry;
    try {
      return (await recall(resourceId)) ?? (await start(resourceId));
    } catch (cause) {
      // A rejected request left nothing behind: it may be sent again, corrected.
      if (isNew && isRefusal(cause) && !(await hasBegun(resourceId))) await store.forget(entry);
      throw cause;
    }
  }

  async function answer<T>(entry: KeptEntry, { answer, keep, restore }: Answering<T>) {
    const { keyHash, isNew, answer: kept } = entry;
    if (kept !== null) return restore(kept);
    if (!isNew) {
      const reason =
        "This delivery was already accepted, but its response is no longer available. Do not send it again.";
      throw new WeftError("conflict", { params: { reason } });
    }
    try {
      const answered = await answer();
      const text = await keep(answered);
      if (text !== undefined) await store.finish(keyHash, text);
      return answered;
    } catch (cause) {
      if (isRefusal(cause)) await store.forget(entry);
      throw cause;
    }
  }

  /** The entry of the delivery is read after those before it have finished, so that it has their answer. */
  async function inTurn<T>(hashes: Hashes, work: (entry: KeptEntry) => Promise<T>): Promise<T> {
    const { keyHash, bodyHash } = hashes;
    while (running.has(keyHash)) await running.get(keyHash)?.catch(() => undefined);
    const worked = (async () => {
      const entry = await store.begin({ ...hashes, resourceId: ids.uuid() });
      if (entry.bodyHash !== bodyHash) throw new WeftError("idempotency-key-reused");
      return work(entry);
    })();
    running.set(keyHash, worked);
    try {
      return await worked;
    } finally {
      running.delete(keyHash);
    }
  }

  return {
    async once(delivery, bytes, handling) {
      const hashes = toHashes(delivery, bytes);
      return hashes ? inTurn(hashes, (entry) => handle(entry, handling)) : handling.start(ids.uuid());
    },
    async answerOnce(delivery, bytes, answering) {
      const hashes = delivery.signedId === undefined ? undefined : toHashes(delivery, bytes);
      return hashes ? inTurn(hashes, (entry) => answer(entry, answering)) : answering.answer();
    },
  };
}

type Hashes = { keyHash: string; bodyHash: string };

/** Undefined for a delivery without a name. */
function toHashes({ agentId, method, url, headers, signedId }: Delivery, bytes: Uint8Array): Hashes | undefined {
  const name = signedId === undefined ? names.find((header) => headers.has(header)) : "signed id";
  if (name === undefined) return undefined;
  const key = [agentId, name, signedId ?? headers.get(name)];
  const bodyHash = sha256([...key, method, url.search, hash("sha256", bytes, "base64url")]);
  return { keyHash: sha256(["webhook", ...key]), bodyHash };
}

function isRefusal(cause: unknown): boolean {
  return cause instanceof WeftError && cause.status < 500;
}

function sha256(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url");
}
