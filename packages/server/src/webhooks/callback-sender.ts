import { createHmac } from "node:crypto";
import { applyEvent, type Clock, emptyRunState, type HttpClient } from "@weft/engine";
import { toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Logger } from "../logger.ts";
import { endError, presentJson } from "../predictions/present-json.ts";
import type { ExecutionService, LoadedExecution } from "../runs/execution.service.ts";
import type { Database } from "../storage/database.ts";
import type { CallbackRow, RunRow, Tables } from "../storage/tables.ts";
import * as store from "./callback.store.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

export type CallbackSenderDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  logger: Logger;
  http: HttpClient;
  secrets: Pick<WebhookSecrets, "read">;
  executions: Pick<ExecutionService, "load">;
};

type Told = Pick<RunRow, "status" | "lastSeq">;

export type Callback = { runId: string; agentId: string; url: string; credential: string | undefined };

/**
 * Tells others how runs ended.
 * - C1 A callback is durable before its run begins, and stays until the run's end was told or given up: it survives the
 *   process, and whichever one is there sends it.
 * - C2 An attempt is counted in the database before it is made: there are at most three, after 0, 3 and 6 seconds.
 * - C3 A receiver may hear the same twice, when a process ends between sending and noting: `X-Weft-Delivery` is the same.
 */
export type CallbackSender = {
  /** Before the run begins. */
  expect(callback: Callback): Promise<void>;
  /** For a run that did not begin. */
  forget(runId: string): Promise<void>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /** Sends what is due now. */
  round(signal: AbortSignal): Promise<void>;
  /** Clears what a process left behind that ended before its run began. */
  clear(): Promise<void>;
};

const retryDelaysMs = [3_000, 6_000];
const timeoutMs = 10_000;
/** An attempt that says nothing for so long was made by a process that is gone. */
const attemptLeaseMs = 15_000;
const beginningMs = 60_000;
const roundSize = 20;

export function createCallbackSender(deps: CallbackSenderDeps): CallbackSender {
  const { database, clock, logger, http, secrets, executions } = deps;
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });
  const later = (ms: number) => toMoment(clock.now() + ms);

  /** Tells of the run as it is now. */
  async function send({ runId, agentId, url, credential }: CallbackRow, signal: AbortSignal): Promise<Told> {
    const loaded = await executions.load(runId);
    const body = JSON.stringify(toContent(loaded));
    const secret = await secrets.read(agentId, credential === "" ? undefined : credential);
    const headers = {
      "content-type": "application/json",
      "x-weft-delivery": `${runId}:${loaded.run.lastSeq}`,
      ...(secret !== undefined && toSignatures(secret, body)),
    };
    const request = { method: "POST", url, headers, body, timeoutMs, signal };
    const { status } = await http.request({ ...request, maxRedirects: 0, maxBytes: 1_024, onTooLarge: "truncate" });
    if (status < 200 || status > 299) throw new Error(`It answered ${status}.`);
    return loaded.run;
  }

  async function settle(runId: string, { status, lastSeq }: Told): Promise<void> {
    const isOver = status !== "suspended" && status !== "running";
    const settled = { runId, sentSeq: lastSeq, nextDate: later(0) };
    await write((tx) => (isOver ? store.deleteCallback(tx, runId) : store.settleCallback(tx, settled)));
  }

  async function attempt(callback: store.DueCallback, signal: AbortSignal): Promise<void> {
    const { runId, attempts } = callback;
    const retryDelayMs = retryDelaysMs[attempts];
    if (attempts > retryDelaysMs.length) return settle(runId, callback);
    if (!(await write((tx) => store.takeAttempt(tx, callback, later(attemptLeaseMs))))) return;
    try {
      await settle(runId, await send(callback, signal));
    } catch (cause) {
      if (signal.aborted) return;
      logger.warn("callback-failed", { runId, count: attempts + 1, cause });
      if (retryDelayMs === undefined) await settle(runId, callback);
      else await write((tx) => store.postponeCallback(tx, runId, later(retryDelayMs)));
    }
  }

  return {
    async expect({ runId, agentId, url, credential = "" }) {
      const now = later(0);
      const row = { runId, agentId, url, credential, sentSeq: 0, attempts: 0, nextDate: now, createdDate: now };
      await write((tx) => store.insertCallback(tx, row));
    },
    forget: (runId) => write((tx) => store.deleteCallback(tx, runId)),
    removeOfAgent: store.deleteCallbacksOfAgent,
    async round(signal) {
      const due = await store.listDueCallbacks(database.read, later(0), roundSize);
      await Promise.all(due.map((callback) => attempt(callback, signal)));
    },
    clear: () => write((tx) => store.deleteWithoutRun(tx, later(-beginningMs))),
  };
}

/** What existing receivers read. */
function toContent({ run: { id: executionId, chatId, status }, flow, events }: LoadedExecution) {
  const state = emptyRunState();
  for (const event of events) applyEvent(state, flow.graph, event);
  if (status === "failed" || status === "cancelled")
    return { status: "ERROR", chatId, executionId, error: endError(events).message };
  const data = presentJson({ runId: executionId, state, flow, events }, state.end ?? "suspended");
  return { status: status === "completed" ? "SUCCESS" : "STOPPED", chatId, executionId, data };
}

/** The second name is the one that existing receivers look for. */
function toSignatures(secret: string, body: string): Record<string, string> {
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return { "x-weft-signature": signature, "x-flowise-signature": signature };
}
