import { createHmac, hash } from "node:crypto";
import type { Database, Tables } from "@weft/database";
import { applyEvent, emptyRunState } from "@weft/engine";
import type { WallClock } from "@weft/engine/ports/clock";
import type { HttpClient } from "@weft/engine/ports/http-client";
import { everything } from "@weft/http/identity";
import type { Logger } from "@weft/http/logger";
import { type DueAnnouncer, type ExecutionService, type LoadedExecution, uuidOf } from "@weft/run-host";
import { type CallbackDelivery, type FailingCallback, toMoment, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import { endError, presentJson } from "../predictions/index.ts";
import type { CallbackDeliveryRow } from "./callback.store.ts";
import * as store from "./callback.store.ts";
import { toSignatureHeader } from "./standard-webhooks.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

export type CallbackSenderDeps = {
  database: Database;
  clock: WallClock;
  logger: Logger;
  http: HttpClient;
  secrets: { read: WebhookSecrets["read"] };
  executions: ExecutionService;
  due: DueAnnouncer;
};

export type Callback = { runId: string; agentId: string; url: string; credential: string | undefined };

export type DeliveryQuery = Omit<store.DeliveryFilter, "agentId"> & { page: number; limit: number };

/**
 * Tells others how runs ended.
 * - C1 A callback is durable before its run begins. When the run waits or ends it becomes a delivery in one commit, so
 *   that each is sent once, across processes.
 * - C2 A delivery has one id and one body, which tells of the run as it was then. An attempt is counted in the database
 *   before it is made, and the pauses between attempts grow until a day has passed.
 * - C3 A receiver may hear the same twice, when a process ends between sending and noting, or when a person sends it
 *   again: `webhook-id` is the same.
 */
export type CallbackSender = {
  /** Call before the run starts. */
  expect(callback: Callback): Promise<void>;
  /** For a run that did not start. */
  forget(runId: string): Promise<void>;
  /**
   * For runs being erased: nothing more is sent about them. Resolves with the number of removed items, deliveries
   * included.
   */
  forgetRuns(runIds: readonly string[]): Promise<number>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /** Sends what is due now. */
  round(signal: AbortSignal): Promise<void>;
  /** Clears callbacks without a run: a process ended before its run started, or the run was deleted. */
  clear(): Promise<void>;
  /** One page of an agent's deliveries, newest first. */
  list(agentId: string, query: DeliveryQuery): Promise<{ data: CallbackDelivery[]; total: number }>;
  /** Deliveries of all agents that have failed and not succeeded since; the first 50 of them. */
  failing(): Promise<{ list: Omit<FailingCallback, "agentName">[]; failing: number }>;
  /** Restarts a delivery's attempts, at once. Rejects with `not-found`. */
  resend(agentId: string, id: string): Promise<CallbackDelivery>;
};

const runsAtOnce = 200;
const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
/** Before each attempt but the first: 24 hours in total. */
const pausesMs = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  6 * hourMs,
  10 * hourMs + 17 * minuteMs + 25 * secondMs,
];
/** Of a pause, so that receivers that failed together are not retried together. */
const jitter = 0.1;
const timeoutMs = 10_000;
/** An attempt without a report for this long was made by a process that is gone. */
const attemptLeaseMs = 15_000;
const beginningMs = minuteMs;
const clearEveryMs = hourMs;
/**
 * Largest difference between the clocks of processes. A later attempt was recorded by a clock that was set back since.
 */
const skewMs = minuteMs;
/** Deliveries in a round, and the most of them for one address, so that a slow one does not delay others. */
const roundSize = 40;
const roundSizePerUrl = 4;
const mostFailingShown = 50;
const mostFailingCounted = 1_000;

export function createCallbackSender(deps: CallbackSenderDeps): CallbackSender {
  const { database, clock, logger, due } = deps;
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });
  const later = (ms: number) => toMoment(clock.now() + ms);
  let clearedAt = clock.now();

  async function makeDeliveries(): Promise<void> {
    for (const callback of await store.listDueCallbacks(database.read, roundSize)) {
      const { runId, agentId, url, credential, lastSeq, status } = callback;
      const now = later(0);
      const fresh = { state: "PENDING", attempts: 0, lastStatus: 0, error: null, attemptDate: null } as const;
      const id = uuidOf(`delivery ${runId}:${lastSeq}`);
      const row = { id, runId, agentId, url, credential, seq: lastSeq, ...fresh, nextDate: now, createdDate: now };
      await write((tx) => store.insertDelivery(tx, row, status !== "suspended"));
    }
  }

  async function attempt(delivery: CallbackDeliveryRow, signal: AbortSignal): Promise<void> {
    const { id, runId } = delivery;
    const lease = { nextDate: later(attemptLeaseMs), attemptDate: later(0) };
    if (!(await write((tx) => store.takeAttempt(tx, delivery, lease)))) return;
    const sent = await send(deps, delivery, signal);
    if (sent === undefined) return;
    const { status, error } = sent;
    const pauseMs = error === undefined ? undefined : pauseBefore(delivery);
    const state = stateAfter(sent, pauseMs);
    if (error !== undefined) logger.warn("callback-failed", { runId, count: delivery.attempts + 1, reason: error });
    await write(async (tx) => {
      await store.noteAttempt(
        tx,
        { id, attemptDate: lease.attemptDate },
        {
          state,
          nextDate: later(pauseMs ?? 0),
          lastStatus: status,
          error: error ?? null,
        },
      );
      if (status === 410) await store.stopDeliveries(tx, delivery);
    });
    if (state === "PENDING") due.announce(clock.now() + (pauseMs ?? 0));
  }

  const clear = () => write((tx) => store.deleteWithoutRun(tx, later(-beginningMs)));

  return {
    async expect({ runId, agentId, url, credential = "" }) {
      const row = { runId, agentId, url, credential, sentSeq: 0, createdDate: later(0) };
      await write((tx) => store.insertCallback(tx, row));
    },
    forget: (runId) => write((tx) => store.deleteCallback(tx, runId)),
    async forgetRuns(runIds) {
      let count = 0;
      for (let from = 0; from < runIds.length; from += runsAtOnce) {
        count += await write((tx) => store.deleteCallbacksOfRuns(tx, runIds.slice(from, from + runsAtOnce)));
      }
      return count;
    },
    removeOfAgent: store.deleteCallbacksOfAgent,
    async round(signal) {
      if (clock.now() - clearedAt >= clearEveryMs) {
        clearedAt = clock.now();
        await clear();
      }
      await makeDeliveries();
      const pending = await store.listDueDeliveries(database.read, {
        nowDate: later(0),
        futureDate: later(skewMs),
        limit: 10 * roundSize,
      });
      await Promise.all(fairly(pending).map((delivery) => attempt(delivery, signal)));
    },
    clear,
    async list(agentId, { page, limit, ...query }) {
      const filter = { agentId, ...query };
      const rows = await store.listDeliveries(database.read, filter, { offset: (page - 1) * limit, limit });
      return { data: rows.map(toDelivery), total: await store.countDeliveries(database.read, filter) };
    },
    async failing() {
      const rows = await store.listFailing(database.read, mostFailingShown);
      return { list: rows.map(toFailing), failing: await store.countFailing(database.read, mostFailingCounted) };
    },
    async resend(agentId, id) {
      const row = await write((tx) => store.resendDelivery(tx, { agentId, id, nextDate: later(0) }));
      if (row === undefined) throw new WeftError("not-found", { params: { resource: "delivery", id } });
      due.announce();
      return toDelivery(row);
    },
  };
}

/** `status` 0: there was no answer. `error`: why it must be retried. */
type Sent = { status: number; error: string | undefined };

/** Undefined if it was interrupted: the process that takes it over tries again. */
async function send(
  { clock, http, secrets, executions }: CallbackSenderDeps,
  { id, runId, agentId, url, credential, seq }: CallbackDeliveryRow,
  signal: AbortSignal,
): Promise<Sent | undefined> {
  try {
    const body = JSON.stringify(toContent(await executions.load(runId, everything), seq));
    const known = await secrets.read(agentId, credential === "" ? undefined : credential);
    const timestamp = Math.floor(clock.now() / 1_000);
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "x-weft-delivery": `${runId}:${seq}`,
      ...(known.length > 0 && { "webhook-signature": toSignatureHeader(known, { id, timestamp, body }) }),
      ...toOlderSignatures(known[0], body),
    };
    const request = { method: "POST", url, headers, body, timeoutMs, signal };
    const { status } = await http.request({ ...request, maxRedirects: 0, maxBytes: 1_024, onTooLarge: "truncate" });
    const isTaken = status >= 200 && status <= 299;
    return { status, error: isTaken ? undefined : `The receiver answered ${status}.` };
  } catch (cause) {
    if (signal.aborted) return undefined;
    const isExpected = cause instanceof WeftError;
    return {
      status: 0,
      error: isExpected ? cause.message : "It could not be sent because of an error on this server.",
    };
  }
}

/** `pauseMs`: before the next attempt, if there is one. */
function stateAfter({ status, error }: Sent, pauseMs: number | undefined): CallbackDelivery["state"] {
  if (error === undefined) return "DELIVERED";
  if (status === 410) return "STOPPED";
  return pauseMs === undefined ? "FAILED" : "PENDING";
}

/** The pause before the next attempt, deterministic; undefined if there is none. */
function pauseBefore({ id, attempts }: CallbackDeliveryRow): number | undefined {
  const pauseMs = pausesMs[attempts];
  if (pauseMs === undefined) return undefined;
  const share = hash("sha256", `${id}:${attempts}`, "buffer").readUInt32BE(0) / 0xffff_ffff;
  return Math.round(pauseMs * (1 + jitter * (2 * share - 1)));
}

function fairly(due: readonly CallbackDeliveryRow[]): CallbackDeliveryRow[] {
  const counts = new Map<string, number>();
  const first = due.filter(({ url }) => {
    const count = (counts.get(url) ?? 0) + 1;
    counts.set(url, count);
    return count <= roundSizePerUrl;
  });
  return first.slice(0, roundSize);
}

/** The body that existing receivers read: the run as it was after the event `seq`. */
function toContent({ run: { id: executionId, chatId }, flow, events: all }: LoadedExecution, seq: number) {
  const events = all.filter((event) => event.seq <= seq);
  const state = emptyRunState();
  for (const event of events) applyEvent(state, flow.graph, event);
  const end = state.end ?? "suspended";
  if (end === "failed" || end === "cancelled")
    return { status: "ERROR", chatId, executionId, error: endError(events).message };
  const data = presentJson({ runId: executionId, state, flow, events }, end);
  return { status: end === "completed" ? "SUCCESS" : "STOPPED", chatId, executionId, data };
}

/** For receivers that verify only the body. Existing receivers know the second name. */
function toOlderSignatures(secret: string | undefined, body: string): Record<string, string> {
  if (secret === undefined) return {};
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return { "x-weft-signature": signature, "x-flowise-signature": signature };
}

function toDelivery(row: CallbackDeliveryRow): CallbackDelivery {
  const { id, runId: executionId, url, state, attempts, nextDate, lastStatus, error, attemptDate, createdDate } = row;
  return {
    id,
    executionId,
    url,
    state,
    attempts,
    lastStatus: lastStatus === 0 ? null : lastStatus,
    error,
    nextDate: state === "PENDING" ? nextDate : null,
    attemptDate,
    createdDate,
  };
}

/** Without the rest of the address, which often identifies the sender to the receiver. */
function toFailing(row: CallbackDeliveryRow): Omit<FailingCallback, "agentName"> {
  const { url, createdDate: _, ...delivery } = toDelivery(row);
  return { ...delivery, agentflowId: row.agentId, host: URL.canParse(url) ? new URL(url).host : "" };
}
