import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { Random } from "./random.ts";

export type Answer = {
  status: number;
  text: string;
  json<T>(): T;
};

export type Attempt = AskOptions & { url: string; method: string; path: string; body?: unknown };

export type AskOptions = { key?: string; form?: FormData; signal?: AbortSignal };

/** A client as one should be: it asks again, at any server, under the same key, until it has an answer. */
export type Client = {
  /** One attempt at one server. Rejects when no answer comes. */
  attempt(attempt: Attempt): Promise<Response>;
  /** Asks until there is an answer other than "later". Rejects with `NoAnswerError` when none comes in two minutes. */
  ask(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Answer>;
  /** Asks once. Undefined: broken off, nobody knows what came of it. */
  askOnce(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Answer | undefined>;
  /** The address of any of the servers. */
  anyUrl(): string;
  pause(ms: number): Promise<void>;
};

export class NoAnswerError extends Error {}

export type ClientOptions = {
  cluster: Cluster;
  random: Random;
  /** When faults began, on `performance.now()`, in order. */
  faultTimes: readonly number[];
  onRecovery(ms: number): void;
};

/** A server that says nothing for so long is given up, as an impatient client does; the run goes on. */
const attemptMs = 6_000;
const patienceMs = 120_000;

export function createClient({ cluster, random, faultTimes, onRecovery }: ClientOptions): Client {
  const anyUrl = () => random.pick(cluster.urls);

  function attempt({ url, method, path, body, key, form, signal = AbortSignal.timeout(attemptMs) }: Attempt) {
    return fetch(`${url}${path}`, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${cluster.token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(form ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function askOnce(method: string, path: string, body?: unknown, options?: AskOptions) {
    try {
      const response = await attempt({ url: anyUrl(), method, path, body, ...options });
      const text = await response.text();
      return { status: response.status, text, json: () => JSON.parse(text) };
    } catch {
      return undefined;
    }
  }

  return {
    attempt,
    askOnce,
    anyUrl,
    pause: (ms) => sleep(ms),
    async ask(method, path, body, options) {
      const startedAt = performance.now();
      let isBroken = false;
      let last = "no server answered";
      while (performance.now() < startedAt + patienceMs) {
        const answer = await askOnce(method, path, body, options);
        if (answer !== undefined && !isLater(answer)) {
          const faultAt = faultTimes.findLast((at) => at <= performance.now());
          if (isBroken && faultAt !== undefined) onRecovery(performance.now() - Math.max(faultAt, startedAt));
          return answer;
        }
        if (answer === undefined) isBroken = true;
        else last = `${answer.status} ${answer.text.slice(0, 300)}`;
        await sleep(random.between(50, 250));
      }
      throw new NoAnswerError(`${method} ${path} has no answer after ${patienceMs / 1_000} s; the last one: ${last}`);
    },
  };
}

/** Whether the server asks to be asked again: nothing was accepted, or it is under way. */
function isLater({ status, text }: Answer): boolean {
  if (status === 503 || status === 429) return true;
  if (status === 409) return text.includes("idempotency-key-running");
  return status >= 500 && text.includes('"retryable":true');
}
