import type { NodeServices } from "@weft/engine/node";
import type { ModelCall } from "@weft/engine/ports/chat-model";
import type { HttpRequest, HttpResponse } from "@weft/engine/ports/http-client";
import { noServices } from "@weft/engine/testing";
import { usageOf, WeftError } from "@weft/schema";
import type { Random } from "../../chaos/house/random.ts";
import type { Plant } from "../plants.ts";
import type { Actor, VirtualTime } from "./virtual-time.ts";

/** A request that left a process, as the world outside noted it. */
export type Call = {
  /** Names the step of the run that makes it: `/question/node/pass`. */
  name: string;
  kind: "model" | "read" | "write" | "idempotent";
  process: string;
  beganMs: number;
  /** When it took effect, where it did. */
  arrivedMs: number | undefined;
  idempotencyKey: string | undefined;
  /** Whether it was answered with a success. */
  isOk: boolean;
};

export type Outside = {
  readonly calls: Call[];
  /** The share of requests that fail. */
  failures: number;
  /** For the code of one process. */
  servicesOf(actor: Actor): NodeServices;
};

const address = "http://api.test";

/** Where a step's requests go: the called service knows by it which step of which run asks. */
export function urlOf(node: string, isInLoop: boolean): string {
  return `${address}/{{ question }}/${node}/${isInLoop ? "{{ loop_count }}" : "0"}`;
}

type OutsideDeps = { time: VirtualTime; random: Random; plant: Plant | undefined };

/** What models and called services do: they take their time, fail sometimes, and note all they are asked. */
export function createOutside({ time, random, plant }: OutsideDeps): Outside {
  const calls: Call[] = [];

  /** Once the process hears of it. Rejects with the signal's reason when that aborts. */
  async function until<T>(actor: Actor, signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => undefined);
    const abort = () => aborted.reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    const heard = answer.finally(() => time.awake(actor));
    heard.catch(() => undefined);
    try {
      return await Promise.race([heard, aborted.promise]);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  function durationMs(): number {
    const kind = random.next();
    if (kind < 0.6) return random.between(5, 300);
    return kind < 0.95 ? random.between(300, 4_000) : random.between(4_000, 25_000);
  }

  async function request({ method, url, headers = {} }: HttpRequest, call: Call): Promise<HttpResponse> {
    await time.sleep(random.between(1, 20));
    call.arrivedMs = time.now();
    await time.sleep(durationMs());
    const isFailing = random.next() < outside.failures;
    if (isFailing && random.next() < 0.5) {
      throw new WeftError("egress-failed", { params: { host: "api.test", reason: "it broke off" } });
    }
    call.isOk = !isFailing;
    const body = new TextEncoder().encode(`${method} ${url.slice(address.length)} ${Object.keys(headers).length}`);
    const [status, statusText] = isFailing ? [503, "Service Unavailable"] : [200, "OK"];
    return { status, statusText, headers: {}, body, truncated: false, url };
  }

  function note(actor: Actor, name: string, kind: Call["kind"], idempotencyKey?: string): Call {
    const begun = { process: actor.name, beganMs: time.now(), arrivedMs: undefined, isOk: false };
    const call: Call = { name, kind, idempotencyKey, ...begun };
    calls.push(call);
    return call;
  }

  async function answer(actor: Actor, { onText, signal }: ModelCall, call: Call): Promise<string> {
    const words = random.between(1, 6);
    let text = "";
    for (let word = 0; word < words && !signal.aborted; word += 1) {
      await time.sleep(durationMs() / words);
      await time.awake(actor);
      const piece = `word${word} `;
      text += piece;
      time.within(actor, () => onText?.(piece));
    }
    if (random.next() < outside.failures) {
      throw new WeftError("model-unavailable", { params: { model: "m", reason: "it is busy" }, retryable: true });
    }
    call.isOk = true;
    return text;
  }

  const outside: Outside = {
    calls,
    failures: 0.02,
    servicesOf: (actor) => ({
      ...noServices,
      http: {
        request(asked) {
          const key = asked.headers?.["idempotency-key"];
          const isRead = asked.method === "GET";
          const kind = isRead ? "read" : key === undefined ? "write" : "idempotent";
          const path = asked.url.slice(address.length);
          const call = note(actor, path, kind, key);
          if (plant?.asksTwice) void request(asked, note(actor, path, kind, key)).catch(() => undefined);
          return until(actor, asked.signal, request(asked, call));
        },
      },
      models: {
        resolve: async () => ({
          id: "m",
          async answer(asked) {
            const [name = ""] = /\/\S+/.exec(String(asked.messages.at(-1)?.content)) ?? [];
            const call = note(actor, name, "model");
            const text = await until(actor, asked.signal, answer(actor, asked, call));
            return { text, toolCalls: [], finishReason: "stop", usage: usageOf(1, 1) };
          },
        }),
      },
    }),
  };
  return outside;
}
