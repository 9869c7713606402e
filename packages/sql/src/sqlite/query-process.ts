import { once } from "node:events";
import { createInterface } from "node:readline";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { QueryJob, QueryReply } from "./query-job.ts";
import { runQuery } from "./run-query.ts";

// A process for one statement. A thread of it works on the statement, and nothing stops that thread but the end of the
// process: this one ends it at the time limit, and when whoever started it is gone.
if (isMainThread) await watch();
else parentPort?.postMessage(runQuery(workerData as QueryJob));

async function watch(): Promise<void> {
  const end = () => process.kill(process.pid, "SIGKILL");
  process.stdin.on("end", end).on("error", end);
  const [line] = (await once(createInterface(process.stdin), "line")) as [string];
  const job = JSON.parse(line) as QueryJob;
  const worker = new Worker(new URL(import.meta.url), { workerData: job });
  const late: QueryReply = { ok: false, advice: "timeout", words: "" };
  const limit = setTimeout(() => reply(late), job.timeoutMs);
  worker.on("error", () => process.exit(1));
  const [answer] = (await once(worker, "message")) as [QueryReply];
  clearTimeout(limit);
  reply(answer);

  function reply(answer: QueryReply): void {
    process.stdout.write(JSON.stringify(answer), end);
  }
}
