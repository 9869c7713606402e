import type { JsonObject } from "@weft/schema";
import type { SandboxLimits } from "./limits.ts";
import type { Outcome } from "./outcome.ts";

/** What a worker is created with. */
export type WorkerSettings = { memoryLimitBytes: number; sharedBytes: number };

/** One run as the worker gets it. */
export type RunMessage = {
  type: "run";
  callId: number;
  code: string;
  globals: JsonObject;
  hasFetch: boolean;
  timeoutMs: number;
  limits: SandboxLimits;
  /** Whether the thread belongs to others: code that computes long is stopped, to begin again elsewhere. */
  isGuest: boolean;
  /** One 32-bit number that becomes 1 once the run is no longer wanted. */
  cancelled: SharedArrayBuffer;
};

/** The answer to a `fetch`: JSON text of a `FetchAnswer` when `ok`, else a sentence. */
export type FetchedMessage = { type: "fetched"; callId: number; fetchId: number; ok: boolean; text: string };

/** Wakes a run whose `cancelled` was set while it waits. */
export type CancelMessage = { type: "cancel"; callId: number };

export type ToWorker = RunMessage | FetchedMessage | CancelMessage;

export type FetchRequest = { url: string; method: string; headers: Record<string, string>; body?: string };

/** Header names in lower case; the body decoded as UTF-8. */
export type FetchAnswer = {
  status: number;
  statusText: string;
  url: string;
  headers: Record<string, string>;
  body: string;
};

export type FetchMessage = { type: "fetch"; callId: number; fetchId: number; request: FetchRequest };

/** The run has the thread from now on, for `leftMs` at most. */
export type TurnMessage = { type: "turn"; callId: number; leftMs: number };

/** The run waits for an answer of `fetch`, and computes nothing until it comes. */
export type RestMessage = { type: "rest"; callId: number };

export type DoneMessage = {
  type: "done";
  callId: number;
  outcome: Outcome;
  logs: string[];
  /** The run was stopped for the sake of others in the thread, before it touched anything: it may begin again. */
  isPreempted: boolean;
};

export type FromWorker = TurnMessage | RestMessage | FetchMessage | DoneMessage;

/** Reads a request that guest code had its hands on: what has the wrong type is left out. */
export function parseFetchRequest(json: string): FetchRequest {
  const { url, method, headers, body } = JSON.parse(json) as Record<string, unknown>;
  const pairs = Object.entries(typeof headers === "object" && headers !== null ? headers : {});
  return {
    url: typeof url === "string" ? url : "",
    method: typeof method === "string" ? method : "GET",
    headers: Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string")),
    ...(typeof body === "string" && { body }),
  };
}
