import type { HttpClient } from "@weft/engine/ports/http-client";
import { WeftError } from "@weft/schema";
import type { FetchAnswer, FetchedMessage, FetchMessage, FetchRequest } from "./protocol.ts";

export type BrokerOptions = {
  http: HttpClient;
  /** Bytes of all answers together. */
  maxBytes: number;
  /** For each call. The run's own deadline ends those under way, too. */
  timeoutMs: number;
};

/**
 * Does the calls of one run's `fetch` in this process. A run that begins again, because its thread ended under it, gets
 * the answers of the calls that it has made; none is made twice. When it then asks for something else, that call and
 * those after it fail.
 */
export type FetchBroker = {
  /** The run begins, or begins again. */
  begin(): void;
  fetch(message: FetchMessage, reply: (answer: FetchedMessage) => void): void;
  /** Ends calls under way; nothing is replied from here on. */
  end(): void;
};

type Settled = { ok: boolean; text: string };
type Call = { requestJson: string; settled: Promise<Settled> };

export function createFetchBroker({ http, maxBytes, timeoutMs }: BrokerOptions): FetchBroker {
  const controller = new AbortController();
  const calls: Call[] = [];
  let attempt = 0;
  let asked = 0;
  let leftBytes = maxBytes;
  let hasDiverged = false;

  async function call(request: FetchRequest): Promise<string> {
    if (leftBytes <= 0) throw budgetError(maxBytes);
    const response = await http.request({
      ...request,
      timeoutMs,
      maxBytes: leftBytes,
      signal: controller.signal,
    });
    leftBytes -= response.body.byteLength;
    if (leftBytes < 0) throw budgetError(maxBytes);
    const { status, statusText, url, headers, body } = response;
    const answer: FetchAnswer = { status, statusText, url, headers, body: new TextDecoder().decode(body) };
    return JSON.stringify(answer);
  }

  /** The call that is next in the order in which the run asks. */
  function nextCall(request: FetchRequest): Call {
    const requestJson = JSON.stringify(request);
    const known = calls[asked];
    asked += 1;
    hasDiverged ||= known !== undefined && known.requestJson !== requestJson;
    if (hasDiverged) return { requestJson, settled: Promise.resolve({ ok: false, text: notRepeated }) };
    if (known !== undefined) return known;
    const made: Call = { requestJson, settled: settle(request) };
    calls.push(made);
    return made;
  }

  function settle(request: FetchRequest): Promise<Settled> {
    return call(request).then(
      (text) => ({ ok: true, text }),
      (error: unknown) => ({ ok: false, text: toSentence(error) }),
    );
  }

  return {
    begin() {
      attempt += 1;
      asked = 0;
    },
    fetch({ callId, fetchId, request }, reply) {
      const own = attempt;
      void nextCall(request).settled.then(({ ok, text }) => {
        if (!controller.signal.aborted && own === attempt) reply({ type: "fetched", callId, fetchId, ok, text });
      });
    },
    end: () => controller.abort(),
  };
}

class BudgetError extends Error {}

function budgetError(maxBytes: number): BudgetError {
  return new BudgetError(`The answers to fetch may have ${maxBytes} bytes at most, all together.`);
}

const notRepeated =
  "The code was interrupted and started again, and this request differs from the first time. The call was not made.";

/** Only messages that are written for people reach the code. */
function toSentence(error: unknown): string {
  return error instanceof WeftError || error instanceof BudgetError ? error.message : "The call failed.";
}
