import type { ScriptStep } from "@weft/providers/testing";
import fc from "fast-check";
import type { ApiAnswer, ApiDocument } from "../api-document.ts";
import { type FuzzRequest, fuzzRequest } from "./fuzz-request.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { createKnownIds, type KnownIds } from "./known-ids.ts";
import { finish, send, toCurl } from "./send-request.ts";

export type FuzzOptions = {
  document: ApiDocument;
  /** The same seed makes the same requests. */
  seed: number;
  requests: number;
  /** The server without a socket, and through one. */
  fetch(request: Request): Promise<Response>;
  origin: string;
  /** Bearers of somebody who may do everything, made anew, and of a key that may do nearly nothing. */
  newToken(): Promise<string>;
  weakKey: string;
  /** Creates something to work with; called again and again, because requests delete it. */
  prepare(): Promise<{ path: string; text: string }[]>;
};

export type FuzzFailure = { number: number; reason: string; curl: string; answer: string };

export type FuzzReport = {
  /** One of each kind. */
  failures: FuzzFailure[];
  /** How often each operation answered each status. */
  statuses: Map<string, Map<number, number>>;
};

const batchSize = 200;

/** Sends requests one after the other and judges each answer. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { document, seed, requests } = options;
  const failures = new Map<string, FuzzFailure>();
  const statuses: FuzzReport["statuses"] = new Map();
  const ids = createKnownIds();
  const arbitrary = fuzzRequest(document);
  for (let start = 0; start < requests; start += batchSize) {
    for (const { path, text } of await options.prepare()) ids.learn(path, text);
    const numRuns = Math.min(batchSize, requests - start);
    const batch = fc.sample(arbitrary, { seed: seed + start, numRuns });
    for (const [index, request] of batch.entries()) {
      const outcome = await runOne(options, request, ids);
      count(statuses, request.operation?.id ?? "(nothing)", outcome.status);
      if (outcome.reason === undefined) continue;
      const kind = `${request.operation?.id} ${outcome.reason.slice(0, 60)}`;
      if (!failures.has(kind)) failures.set(kind, { ...outcome, reason: outcome.reason, number: start + index });
    }
    await assertAlive(options);
  }
  return { failures: [...failures.values()], statuses };
}

type Outcome = { status: number; reason: string | undefined; curl: string; answer: string };

async function runOne(options: FuzzOptions, request: FuzzRequest, ids: KnownIds): Promise<Outcome> {
  const final = finish(request, ids, await authorizationFor(options, request));
  const curl = toCurl(final);
  try {
    const fetch = request.overSocket ? globalThis.fetch : options.fetch;
    const answer = await send(final, fetch, request.overSocket ? options.origin : "http://platform");
    learn(ids, request, final.path, answer);
    const reason = judgeAnswer(options.document, request, answer);
    return { status: answer.status, reason, curl, answer: `${answer.status} ${answer.contentType}\n${answer.text}` };
  } catch (cause) {
    return { status: 0, reason: cause instanceof Error ? cause.message : String(cause), curl, answer: "none" };
  }
}

function learn(ids: KnownIds, request: FuzzRequest, path: string, { status, contentType, text }: ApiAnswer): void {
  if (status !== 200) return;
  if (request.method === "DELETE") ids.forget(path);
  if (contentType === "application/json") ids.learn(request.path, text);
}

/** Who logs out does so with a token of their own. */
async function authorizationFor(
  { newToken, weakKey }: FuzzOptions,
  { caller }: FuzzRequest,
): Promise<string | undefined> {
  switch (caller) {
    case "operator":
      return `Bearer ${await newToken()}`;
    case "weak-key":
      return `Bearer ${weakKey}`;
    case "nonsense":
      return "Bearer nonsense";
    case "nobody":
      return undefined;
  }
}

async function assertAlive({ origin }: FuzzOptions): Promise<void> {
  const response = await globalThis.fetch(`${origin}/api/v1/ping`, { signal: AbortSignal.timeout(10_000) });
  if ((await response.text()) !== "pong") throw new Error("The server does not answer ping any more.");
}

function count(statuses: FuzzReport["statuses"], operation: string, status: number): void {
  const counts = statuses.get(operation) ?? new Map<number, number>();
  counts.set(status, (counts.get(status) ?? 0) + 1);
  statuses.set(operation, counts);
}

/** What models say: mostly an answer, now and then everything that goes wrong with a model. */
export function fuzzScript(_request: unknown, index: number): ScriptStep {
  const steps: ScriptStep[] = [
    { status: 429, body: { error: { message: "Slow down" } } },
    { status: 500, body: "broken" },
    { status: 401, body: { error: { message: "Wrong key" } } },
    { garbage: "not JSON" },
    { text: "cut off", cutStreamAfter: 1 },
    { text: "\ud800 💥 \u0000" },
    { toolCalls: [{ name: "nothing", arguments: "{broken" }] },
  ];
  if (index % 400 === 399) return { hang: true };
  return index % 4 === 3 ? (steps[Math.floor(index / 4) % steps.length] ?? { text: "Hello" }) : { text: "Hello there" };
}
