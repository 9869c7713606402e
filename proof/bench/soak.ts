import { fork } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { freePort } from "../../packages/server/src/testing/free-port.ts";
import { startPlatformProcess } from "../../packages/server/src/testing/platform-process.ts";
import { quantile } from "./load/load.ts";
import { startModelServer } from "./load/model-server.ts";
import { judge } from "./soak/judge.ts";
import { createOperations } from "./soak/operations.ts";
import { openProbe, type Sample } from "./soak/probe.ts";

/**
 * Whether a server that is busy for a long time stays as it was: `./weft soak [--minutes 30 --share 0.6]`. First
 * finds how many operations a second 16 connections get, then sends that share of them at even intervals, whether or
 * not earlier ones were answered. Each line is one twentieth of the time; latencies count from the moment an operation
 * was due. Ends with status 1 when the last third of the lines differs from the third before, or an operation failed.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    share: { type: "string", default: "0.6" },
    postgres: { type: "string", default: "" },
  },
});
const minutes = Number(values.minutes);
const calibrationSeconds = 20;
const connections = 16;
const lines = 20;

const model = await startModelServer();
const toolModel = await startModelServer(["--tool-call", "{}"]);
const embeddings = fork(new URL("./vectors/embedding-server.ts", import.meta.url));
const [embeddingUrl] = (await once(embeddings, "message")) as [string];
const [inspectorPort, eventsPort] = [await freePort(), await freePort()];
const platform = await startPlatformProcess({
  env: {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "bench",
    DEFAULT_MODEL: "scripted",
    DATABASE_URL: values.postgres,
    EVENT_API: "true",
    EVENT_API_PORT: String(eventsPort),
    EGRESS_ALLOW: `127.0.0.1:${toolModel.port},${new URL(embeddingUrl).host}`,
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
  },
});
const probe = await openProbe(platform, inspectorPort);
const next = await createOperations(platform, {
  toolModelUrl: toolModel.url,
  embeddingUrl,
  eventsUrl: `http://127.0.0.1:${eventsPort}/events`,
});

const capacity = await measureCapacity();
const perSecond = capacity * Number(values.share);
write(
  `${capacity.toFixed(0)} operations a second with ${connections} connections; ${perSecond.toFixed(0)} a second now`,
);
writeRow(["minute", "heap MB", "resident MB", "descriptors", "WAL MB", "p50 ms", "p99 ms", "longest ms", "operations"]);
const { samples, failures } = await soak();
const verdict = judge(samples);
for (const failure of failures.slice(0, 5)) write(`FAILED ${failure}`);
for (const { what, before, after, limit, isFlat } of verdict) {
  write(
    `${what}: ${before.toFixed(1)}, then ${after.toFixed(1)}; limit ${limit.toFixed(1)}: ${isFlat ? "flat" : "NOT FLAT"}`,
  );
}
write(`failed operations: ${failures.length}`);
probe.close();
await Promise.all([platform.remove(), model.stop(), toolModel.stop()]);
embeddings.send("end");
process.exit(failures.length > 0 || verdict.some(({ isFlat }) => !isFlat) ? 1 : 0);

async function measureCapacity(): Promise<number> {
  const startedAt = performance.now();
  const until = startedAt + calibrationSeconds * 1_000;
  let done = 0;
  const worker = async () => {
    for (; performance.now() < until; done += 1) await next()();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return done / ((performance.now() - startedAt) / 1_000);
}

async function soak(): Promise<{ samples: Sample[]; failures: string[] }> {
  const samples: Sample[] = [];
  const failures: string[] = [];
  let latencies: number[] = [];
  const open = new Set<Promise<void>>();
  const lineMs = (minutes * 60_000) / lines;
  const startedAt = performance.now();
  for (let sent = 0; samples.length < lines; ) {
    const elapsedMs = performance.now() - startedAt;
    for (const due = (elapsedMs / 1_000) * perSecond; sent < due; sent += 1) {
      const dueAt = startedAt + (sent * 1_000) / perSecond;
      const operation = next()()
        .catch((error: unknown) => void failures.push(String(error)))
        .then(() => void latencies.push(performance.now() - dueAt))
        .finally(() => open.delete(operation));
      open.add(operation);
    }
    if (elapsedMs >= (samples.length + 1) * lineMs) {
      const sample = { ...(await probe.take()), ...summarize(latencies) };
      samples.push(sample);
      const { heapMb, residentMb, descriptors, walMb, p50Ms, p99Ms, longestMs, count } = sample;
      const figures = [elapsedMs / 60_000, heapMb, residentMb, descriptors, walMb, p50Ms, p99Ms, longestMs, count];
      writeRow(figures.map((figure) => figure.toFixed(1)));
      latencies = [];
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(open);
  return { samples, failures };
}

function summarize(latencies: readonly number[]) {
  return {
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    longestMs: quantile(latencies, 1),
    count: latencies.length,
  };
}

function writeRow(cells: readonly string[]): void {
  write(cells.map((cell) => cell.padStart(12)).join(""));
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
