import { hash } from "node:crypto";
import type { IdSource } from "@weft/engine";
import { WeftError } from "@weft/schema";
import type { IdempotencyStore, KeptEntry } from "../http/idempotency.ts";

export type Delivery = { agentId: string; method: string; url: URL; headers: Headers };

export type Handling<T> = {
  /** Begins the run of this id, and answers. */
  start(runId: string): Promise<T>;
  /** The answer of the run of this id; undefined when there is none. */
  recall(runId: string): Promise<T | undefined>;
};

/** Requests as their senders name them: by `Idempotency-Key`, or by the header that the sender is known for. */
export type Deliveries = {
  /**
   * Handles a delivery once within 24 hours; a repetition gets the answer of the same run. Rejects with
   * `idempotency-key-reused` for another request of that name. One without a name is handled as it comes.
   */
  once<T>(delivery: Delivery, bytes: Uint8Array, handling: Handling<T>): Promise<T>;
};

/** Standard Webhooks, GitHub, GitLab, Shopify and Svix, each with the id of what it delivers. */
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

  async function handle<T>({ keyHash, resourceId, isNew }: KeptEntry, { start, recall }: Handling<T>): Promise<T> {
    try {
      return (await recall(resourceId)) ?? (await start(resourceId));
    } catch (cause) {
      // What was refused left nothing behind: it may come again, mended.
      if (isNew && cause instanceof WeftError && cause.status < 500) await store.forget(keyHash);
      throw cause;
    }
  }

  return {
    async once(delivery, bytes, handling) {
      const name = names.find((header) => delivery.headers.has(header));
      if (name === undefined) return handling.start(ids.uuid());
      const key = [delivery.agentId, name, delivery.headers.get(name)];
      const keyHash = sha256(["webhook", ...key]);
      const { method, url } = delivery;
      const bodyHash = sha256([...key, method, url.search, hash("sha256", bytes, "base64url")]);
      const entry = await store.begin({ keyHash, bodyHash, resourceId: ids.uuid() });
      if (entry.bodyHash !== bodyHash) throw new WeftError("idempotency-key-reused");
      while (running.has(keyHash)) await running.get(keyHash)?.catch(() => undefined);
      const handled = handle(entry, handling);
      running.set(keyHash, handled);
      try {
        return await handled;
      } finally {
        running.delete(keyHash);
      }
    },
  };
}

function sha256(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url");
}
