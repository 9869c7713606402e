import type { HttpClient } from "@weft/engine/ports/http-client";
import { AskError } from "./broker.ts";
import type { FetchAnswer, FetchRequest } from "./protocol.ts";

export type FetchLimits = {
  /** Total bytes of all answers. */
  maxBytes: number;
  /** For each call. The run's own deadline also ends calls in progress. */
  timeoutMs: number;
};

/** Performs the `fetch` calls of one run, within a budget of bytes. Resolves with JSON text of a `FetchAnswer`. */
export function answerFetches(http: HttpClient, { maxBytes, timeoutMs }: FetchLimits) {
  let leftBytes = maxBytes;
  const spent = () => new AskError(`The answers to fetch may have ${maxBytes} bytes at most, all together.`);

  return async (request: FetchRequest, signal: AbortSignal): Promise<string> => {
    if (leftBytes <= 0) throw spent();
    const response = await http.request({ ...request, timeoutMs, maxBytes: leftBytes, signal });
    leftBytes -= response.body.byteLength;
    if (leftBytes < 0) throw spent();
    const { status, statusText, url, headers, body } = response;
    const answer: FetchAnswer = { status, statusText, url, headers, body: new TextDecoder().decode(body) };
    return JSON.stringify(answer);
  };
}
