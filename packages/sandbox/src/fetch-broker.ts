import type { HttpClient } from "@weft/engine";
import { WeftError } from "@weft/schema";
import type { FetchAnswer, FetchedMessage, FetchMessage } from "./protocol.ts";

export type BrokerOptions = {
  http: HttpClient;
  /** Bytes of all answers together. */
  maxBytes: number;
  /** From now to the end of the run. */
  timeoutMs: number;
  reply(message: FetchedMessage): void;
};

/** Does the calls of one run's `fetch` in this process. */
export type FetchBroker = {
  fetch(message: FetchMessage): void;
  /** Ends calls under way; nothing is replied from here on. */
  end(): void;
};

export function createFetchBroker({ http, maxBytes, timeoutMs, reply }: BrokerOptions): FetchBroker {
  const controller = new AbortController();
  const deadline = performance.now() + timeoutMs;
  let leftBytes = maxBytes;

  const call = async ({ request }: FetchMessage): Promise<string> => {
    if (leftBytes <= 0) throw budgetError(maxBytes);
    const response = await http.request({
      ...request,
      timeoutMs: Math.max(1, deadline - performance.now()),
      maxBytes: leftBytes,
      signal: controller.signal,
    });
    leftBytes -= response.body.byteLength;
    if (leftBytes < 0) throw budgetError(maxBytes);
    const { status, statusText, url, headers, body } = response;
    const answer: FetchAnswer = { status, statusText, url, headers, body: new TextDecoder().decode(body) };
    return JSON.stringify(answer);
  };

  return {
    fetch(message) {
      const { callId, fetchId } = message;
      const settle = (ok: boolean, text: string) => {
        if (!controller.signal.aborted) reply({ type: "fetched", callId, fetchId, ok, text });
      };
      call(message).then(
        (text) => settle(true, text),
        (error: unknown) => settle(false, toSentence(error)),
      );
    },
    end: () => controller.abort(),
  };
}

class BudgetError extends Error {}

function budgetError(maxBytes: number): BudgetError {
  return new BudgetError(`The answers to fetch may have ${maxBytes} bytes at most, all together.`);
}

/** Only messages that are written for people reach the code. */
function toSentence(error: unknown): string {
  return error instanceof WeftError || error instanceof BudgetError ? error.message : "The call failed.";
}
