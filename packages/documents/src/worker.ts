import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "@weft/workers";
import type { DocumentContent } from "./document.ts";
import type { DocumentLimits } from "./limits.ts";
import type { ReadJob, ReadReply } from "./read-context.ts";
import { readFormat } from "./read-format.ts";
import { createTextBudget } from "./text-budget.ts";
import { Unreadable, withoutText } from "./unreadable.ts";

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

/** Reads a document whose format is known. Throws `Unreadable`; anything else that is thrown means damage. */
async function readDocument(input: ReadJob, limits: DocumentLimits): Promise<DocumentContent> {
  if (input.bytes.length === 0) throw new Unreadable("it is empty");
  const result = await readFormat({ ...input, readFormat, limits, budget: createTextBudget(limits.textCharacters) });
  const sections = result.sections.filter((section) => section.text.trim() !== "");
  if (sections.length === 0) throw new Unreadable(withoutText);
  const { pages, hiddenSheets = [], mail, skippedAttachments = [] } = result;
  const title = result.title?.trim().slice(0, 500);
  return {
    format: input.format,
    sections,
    metadata: {
      ...(title && { title }),
      ...(pages !== undefined && { pages }),
      ...(hiddenSheets.length > 0 && { hiddenSheets }),
      ...mail,
      ...(skippedAttachments.length > 0 && { skippedAttachments }),
    },
  };
}
