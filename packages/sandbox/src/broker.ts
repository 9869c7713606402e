import { WeftError } from "@weft/schema";
import type { AnswerMessage, AskMessage, AskRequest } from "./protocol.ts";

/**
 * Performs in this process what the code of one run asks for: `fetch` calls and database statements. A run that
 * restarts, because its thread ended, gets its earlier answers; nothing is done twice. If it then asks for something
 * else, that request and those after it fail.
 */
export type Broker = {
  /** The run starts, or restarts. */
  begin(): void;
  ask(message: AskMessage, reply: (answer: AnswerMessage) => void): void;
  /** Ends requests in progress; no replies are sent from here on. */
  end(): void;
};

/** Resolves with JSON text. The code sees the message of a rejection if it is an `AskError` or a `WeftError`. */
export type Answering = (request: AskRequest, signal: AbortSignal) => Promise<string>;

/** A failure with a message for the author of the code. */
export class AskError extends Error {}

type Settled = { ok: boolean; text: string };
type Asked = { requestJson: string; settled: Promise<Settled> };

export function createBroker(answer: Answering): Broker {
  const controller = new AbortController();
  const all: Asked[] = [];
  let attempt = 0;
  let asked = 0;
  let hasDiverged = false;

  /** The next one in the order in which the run asks. */
  function next(request: AskRequest): Asked {
    const requestJson = JSON.stringify(request);
    const known = all[asked];
    asked += 1;
    hasDiverged ||= known !== undefined && known.requestJson !== requestJson;
    if (hasDiverged) return { requestJson, settled: Promise.resolve({ ok: false, text: notRepeated }) };
    if (known !== undefined) return known;
    const made: Asked = { requestJson, settled: settle(request) };
    all.push(made);
    return made;
  }

  function settle(request: AskRequest): Promise<Settled> {
    return answer(request, controller.signal).then(
      (text) => ({ ok: true, text }),
      (error: unknown) => ({ ok: false, text: toSentence(error) }),
    );
  }

  return {
    begin() {
      attempt += 1;
      asked = 0;
    },
    ask({ callId, askId, request }, reply) {
      const own = attempt;
      void next(request).settled.then(({ ok, text }) => {
        if (!controller.signal.aborted && own === attempt) reply({ type: "answer", callId, askId, ok, text });
      });
    },
    end: () => controller.abort(),
  };
}

const notRepeated =
  "The code was interrupted and started again, and this request differs from the first time. The call was not made.";

/** Only messages written for people reach the code. */
function toSentence(error: unknown): string {
  return error instanceof WeftError || error instanceof AskError ? error.message : "The call failed.";
}
