import type { Json, JsonObject } from "@weft/schema";
import type { AskKind, SandboxLimits } from "./limits.ts";
import type { Outcome } from "./outcome.ts";

export type WorkerSettings = { memoryLimitBytes: number; sharedBytes: number };

/** One run as the worker receives it. */
export type RunMessage = {
  type: "run";
  callId: number;
  code: string;
  globals: JsonObject;
  hasFetch: boolean;
  /** Modules may query databases. */
  hasDatabases: boolean;
  timeoutMs: number;
  limits: SandboxLimits;
  /** The thread belongs to others: code that computes for long is stopped, to restart elsewhere. */
  isGuest: boolean;
  /** One 32-bit number that becomes 1 once the run is no longer wanted. */
  cancelled: SharedArrayBuffer;
};

/** The answer to an `AskMessage`: JSON text of a `FetchAnswer` or a `QueryAnswer` when `ok`, else a sentence. */
export type AnswerMessage = { type: "answer"; callId: number; askId: number; ok: boolean; text: string };

/** Wakes a waiting run whose `cancelled` was set. */
export type CancelMessage = { type: "cancel"; callId: number };

export type ToWorker = RunMessage | AnswerMessage | CancelMessage;

export type FetchRequest = { url: string; method: string; headers: Record<string, string>; body?: string };

/** Header names in lower case; the body decoded as UTF-8. */
export type FetchAnswer = {
  status: number;
  statusText: string;
  url: string;
  headers: Record<string, string>;
  body: string;
};

/** A statement to a database. `options`: its address, as given to the libraries. */
export type QueryRequest = {
  engine: string;
  options: JsonObject;
  statement: string;
  parameters: Json[];
};

export type QueryAnswer = { columns: string[]; rows: JsonObject[] };

export type AskRequest = { kind: "fetch"; fetch: FetchRequest } | { kind: "query"; query: QueryRequest };

/** The code asks the host for something, and waits. */
export type AskMessage = { type: "ask"; callId: number; askId: number; request: AskRequest };

/** The run has the thread from now on, for at most `leftMs`. */
export type TurnMessage = { type: "turn"; callId: number; leftMs: number };

/** The run waits for an answer, and computes nothing until it comes. */
export type RestMessage = { type: "rest"; callId: number };

export type DoneMessage = {
  type: "done";
  callId: number;
  outcome: Outcome;
  logs: string[];
  /** The run was stopped for the sake of others in the thread, before it had any effect: it may restart. */
  isPreempted: boolean;
};

export type FromWorker = TurnMessage | RestMessage | AskMessage | DoneMessage;

/** Parses a request that guest code could tamper with: values of the wrong type are dropped. */
export function parseRequest(kind: AskKind, json: string): AskRequest {
  const given: Record<string, unknown> = JSON.parse(json);
  return kind === "fetch" ? { kind, fetch: toFetchRequest(given) } : { kind, query: toQueryRequest(given) };
}

function toFetchRequest({ url, method, headers, body }: Record<string, unknown>): FetchRequest {
  const pairs = Object.entries(typeof headers === "object" && headers !== null ? headers : {});
  return {
    url: typeof url === "string" ? url : "",
    method: typeof method === "string" ? method : "GET",
    headers: Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string")),
    ...(typeof body === "string" && { body }),
  };
}

function toQueryRequest({ engine, options, statement, parameters }: Record<string, unknown>): QueryRequest {
  return {
    engine: typeof engine === "string" ? engine : "",
    options: isObject(options) ? options : {},
    statement: typeof statement === "string" ? statement : "",
    parameters: Array.isArray(parameters) ? parameters : [],
  };
}

/** Beside the schema's own, because threads of the sandbox do without the schema. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
