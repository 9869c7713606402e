import type { AskKind, AskLimits } from "../limits.ts";
import type { FetchAnswer, QueryAnswer } from "../protocol.ts";

type Answers = { fetch: FetchAnswer; query: QueryAnswer };

export type AskerOptions = {
  /** Sends a request outside; the answer comes through `settle`. */
  send(askId: number, kind: AskKind, requestJson: string): void;
  /** How often the code may ask, and how long its requests may be. */
  limits: AskLimits;
};

export type Asker = {
  /** Resolves with the parsed answer. Rejects with an `Error`, which is a `TypeError` for `fetch`. */
  ask<Kind extends AskKind>(kind: Kind, requestJson: string): Promise<Answers[Kind]>;
  /** Delivers an answer as JSON text, which is a sentence if not ok. */
  settle(askId: number, ok: boolean, json: string): void;
};

type Waiting = { kind: AskKind; resolve(value: unknown): void; reject(error: unknown): void };

/** Runs inside QuickJS, from its source text: it may refer to nothing outside itself. */
export function createAsker({ send, limits }: AskerOptions): Asker {
  const { parse } = JSON;
  const waiting: (Waiting | undefined)[] = [];
  const asked: Record<AskKind, number> = { fetch: 0, query: 0 };
  const doing = { fetch: "call fetch", query: "ask databases" };
  const things = { fetch: "A request", query: "A statement with its values" };
  return {
    async ask(kind, requestJson) {
      const { times, bytes } = limits[kind];
      if (requestJson.length > bytes) throw new TypeError(`${things[kind]} may have ${bytes} bytes at most.`);
      if (asked[kind] >= times) throw new Error(`The code may ${doing[kind]} ${times} times at most.`);
      asked[kind] += 1;
      return new Promise((resolve, reject) => {
        waiting[waiting.length] = { kind, resolve, reject };
        send(waiting.length - 1, kind, requestJson);
      });
    },
    settle(askId, ok, json) {
      const call = waiting[askId];
      waiting[askId] = undefined;
      if (ok) call?.resolve(parse(json));
      else if (call?.kind === "fetch") call.reject(new TypeError(parse(json)));
      else call?.reject(new Error(parse(json)));
    },
  };
}
