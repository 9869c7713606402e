import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "@weft/workers";
import type { DocumentLimits } from "./limits.ts";
import type { ReadJob, ReadReply } from "./protocol.ts";
import { readDocument } from "./read-document.ts";
import { Unreadable } from "./unreadable.ts";

// Entry of a document worker: one document at a time, ordered by the pool.

lowerPriority();
parentPort?.on("message", async (job: ReadJob) => {
  parentPort?.postMessage(await reply(job));
});

async function reply(job: ReadJob): Promise<ReadReply> {
  try {
    return { ok: true, content: await readDocument(job, workerData as DocumentLimits) };
  } catch (error) {
    return { ok: false, reason: error instanceof Unreadable ? error.reason : "it is damaged" };
  }
}
