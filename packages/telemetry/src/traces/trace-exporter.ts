import type { Stopwatch } from "@weft/engine/ports/clock";
import type { HttpClient } from "@weft/engine/ports/http-client";
import type { Logger } from "@weft/http/logger";
import { type RunEvent, toJsonObject } from "@weft/schema";
import type { Registry } from "../metrics/registry.ts";
import { withOpenInference } from "./open-inference.ts";
import { type OtlpSpan, toExportRequest } from "./otlp.ts";
import { encodeExportRequest } from "./otlp-protobuf.ts";
import type { TraceSettings } from "./settings.ts";
import { spansOf, type TracedFlow } from "./spans.ts";

/** A run ready for spans: it ended, or stopped to wait, with the event of this number. */
export type EndedRun = { runId: string; agentId: string; lastSeq: number; stepOf: TracedFlow["stepOf"] };

/** Read when spans are made. */
export type TraceSources = {
  /** The whole journal of a run. */
  journalOf(runId: string): Promise<readonly RunEvent[]>;
  agentName(agentId: string): Promise<string | undefined>;
  /** Removes secrets. */
  conceal<T>(shown: T): T;
};

export type TraceExporterDeps = {
  settings: TraceSettings;
  /** Of the platform. */
  version: string;
  http: HttpClient;
  clock: Stopwatch;
  meters: TraceMeters;
  logger: Logger;
};

/**
 * Sends the spans of runs to a collector, away from the runs themselves.
 * - X1 Taking a run costs a place in a queue of 2,048; a run beyond that is dropped, and counted.
 * - X2 One request at a time, of at most 512 spans: at the latest 5 s after a run, sooner when 64 runs are waiting.
 * - X3 Temporary refusals (429, 502, 503, 504) and network failures are tried five times in total, with growing pauses
 *   or those that the collector asks for. Anything else is dropped, and counted.
 * - X4 `stop` sends the queue for at most 4 s, and drops the rest.
 */
export type TraceExporter = {
  take(run: EndedRun): void;
  start(sources: TraceSources): void;
  stop(): Promise<void>;
};

const mostRuns = 2_048;
const enoughRuns = 64;
const mostSpans = 512;
/** A batch waits for more runs at most this long. */
const delayMs = 5_000;
const stopGraceMs = 4_000;

export function createTraceExporter(deps: TraceExporterDeps): TraceExporter {
  const { settings, meters, logger, clock } = deps;
  const queue: EndedRun[] = [];
  const forgetQueue = meters.watchQueue(() => queue.length);
  const stopping = new AbortController();
  const send = createSender(deps, stopping.signal);
  let sources: TraceSources | undefined;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let isStopped = false;

  function schedule(): void {
    if (sources === undefined || working !== undefined || queue.length === 0) return;
    if (queue.length >= enoughRuns) work();
    else timer ??= setTimeout(work, delayMs).unref();
  }

  function work(): void {
    clearTimeout(timer);
    timer = undefined;
    working ??= sendAll()
      .catch((cause: unknown) => logger.error("traces-broke", { cause }))
      .finally(() => {
        working = undefined;
        schedule();
      });
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0 && !isStopped) {
      const spans: OtlpSpan[] = [];
      while (spans.length < mostSpans && queue.length > 0 && !isStopped) spans.push(...(await nextSpans()));
      for (let from = 0; from < spans.length && !isStopped; from += mostSpans) {
        await sendOnce(spans.slice(from, from + mostSpans));
      }
    }
  }

  async function nextSpans(): Promise<OtlpSpan[]> {
    const run = queue.shift();
    if (run === undefined || sources === undefined) return [];
    try {
      return await read(sources, run);
    } catch (cause) {
      meters.runDropped("journal");
      logger.warn("trace-not-made", { runId: run.runId, cause });
      return [];
    }
  }

  async function read({ journalOf, agentName, conceal }: TraceSources, run: EndedRun): Promise<OtlpSpan[]> {
    const { runId, agentId, lastSeq, stepOf } = run;
    const name = await agentName(agentId);
    const events = (await journalOf(runId)).filter(({ seq }) => seq <= lastSeq);
    const spans = spansOf(runId, events, { name, stepOf }, settings);
    return settings.content ? conceal(spans) : spans;
  }

  async function sendOnce(spans: readonly OtlpSpan[]): Promise<void> {
    const sent = await send(spans);
    meters.spansSent(spans.length - sent.refused);
    if (sent.refused > 0) meters.spansDropped(sent.refused);
  }

  return {
    take(run) {
      if (isStopped) return;
      if (queue.length >= mostRuns) return meters.runDropped("queue-full");
      queue.push(run);
      schedule();
    },
    start(given) {
      sources = given;
      schedule();
    },
    async stop() {
      clearTimeout(timer);
      const grace = new AbortController();
      const late = clock.sleep(stopGraceMs, grace.signal).catch(() => undefined);
      // Stop waiting to retry temporary refusals.
      stopping.abort();
      await Promise.race([working, late]);
      if (sources !== undefined && queue.length > 0) work();
      await Promise.race([working, late]);
      isStopped = true;
      grace.abort();
      for (const _ of queue.splice(0)) meters.runDropped("stopped");
      forgetQueue();
    },
  };
}

const temporary: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const mostAttempts = 5;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** Resolves with the number of spans that the collector did not accept; never rejects. */
function createSender({ settings, version, http, clock, logger }: TraceExporterDeps, stopping: AbortSignal) {
  const resource = { ...settings.resource, "service.version": version };
  const contentType = settings.openInference ? "application/x-protobuf" : "application/json";
  let isFailing = false;

  function write(spans: readonly OtlpSpan[]): string | Uint8Array {
    const about = { resource, version };
    if (!settings.openInference) return JSON.stringify(toExportRequest(spans, about));
    return encodeExportRequest(toExportRequest(spans.map(withOpenInference), about));
  }

  async function attempt(
    body: string | Uint8Array,
  ): Promise<{ refused?: number; isFinal: boolean; pauseMs?: number; reason?: string }> {
    try {
      const {
        status,
        headers,
        body: answer,
      } = await http.request({
        method: "POST",
        url: settings.url,
        headers: { ...settings.headers(), "content-type": contentType },
        body,
        timeoutMs: 10_000,
        maxBytes: 65_536,
        onTooLarge: "truncate",
        maxRedirects: 0,
      });
      if (status >= 200 && status < 300) return { refused: rejectedOf(answer), isFinal: true };
      const pauseMs = pauseOf(headers["retry-after"]);
      const reason = `the collector answered ${status}`;
      return { isFinal: !temporary.has(status), reason, ...(pauseMs !== undefined && { pauseMs }) };
    } catch {
      // The error may contain the URL with its secrets.
      return { isFinal: false, reason: "the collector could not be reached" };
    }
  }

  return async (spans: readonly OtlpSpan[]): Promise<{ refused: number }> => {
    const body = write(spans);
    for (let count = 1; ; count += 1) {
      const { refused, isFinal, pauseMs, reason } = await attempt(body);
      if (refused !== undefined) {
        isFailing = false;
        return { refused };
      }
      if (isFinal || count === mostAttempts || stopping.aborted) {
        if (!isFailing) logger.warn("traces-not-sent", { reason, count: spans.length });
        isFailing = true;
        return { refused: spans.length };
      }
      const growing = firstPauseMs * 2 ** (count - 1) * (0.5 + Math.random() / 2);
      await clock.sleep(Math.min(pauseMs ?? growing, longestPauseMs), stopping).catch(() => undefined);
    }
  };
}

/** Seconds, or an HTTP date. */
function pauseOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Spans that a collector rejected although it accepted the others. */
function rejectedOf(answer: Uint8Array): number {
  try {
    const { partialSuccess } = toJsonObject(JSON.parse(new TextDecoder().decode(answer)));
    return Number(toJsonObject(partialSuccess).rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}

/** The operators' view of all exporters of a process together. */
export type TraceMeters = {
  spansSent(count: number): void;
  spansDropped(count: number): void;
  runDropped(reason: "queue-full" | "journal" | "settings" | "stopped"): void;
  /** Includes a queue until the returned function is called. */
  watchQueue(length: () => number): () => void;
};

export function createTraceMeters(registry: Registry): TraceMeters {
  const queues = new Set<() => number>();
  const sent = registry.counter({
    name: "weft_trace_spans_sent_total",
    help: "Spans that the collector took.",
  });
  const spans = registry.counter({
    name: "weft_trace_spans_dropped_total",
    help: "Spans that the collector did not take.",
  });
  const runs = registry.counter({
    name: "weft_trace_runs_dropped_total",
    help: "Runs without a trace: the queue was full, their journal could not be read, or the process stopped.",
    labels: ["reason"],
  });
  registry.gauge({
    name: "weft_trace_queue_runs",
    help: "Runs whose spans are to be sent.",
    read: () => [{ value: [...queues].reduce((total, length) => total + length(), 0) }],
  });
  return {
    spansSent: (count) => sent.add(count),
    spansDropped: (count) => spans.add(count),
    runDropped: (reason) => runs.add(1, reason),
    watchQueue(length) {
      queues.add(length);
      return () => void queues.delete(length);
    },
  };
}
