import type { ExecutionSummary } from "@weft/client";
import { errorSentence } from "../../api/client.ts";

/** More are not sent at once: a page has no more rows. */
const mostAtOnce = 100;

/** So many requests are under way at a time. */
const lanes = 4;

/** What came of a request for each of several runs. */
export type BulkReport = { done: number; failures: readonly BulkFailure[] };
export type BulkFailure = { run: ExecutionSummary; reason: string };

/** Sends a request for each of the first `mostAtOnce` runs, a few at a time. One that fails keeps no other from it. */
export async function forEachRun(
  runs: readonly ExecutionSummary[],
  send: (run: ExecutionSummary) => Promise<unknown>,
): Promise<BulkReport> {
  const left = runs.slice(0, mostAtOnce).values();
  const reasons = new Map<string, string>();
  let done = 0;
  const work = async () => {
    for (const run of left) {
      try {
        await send(run);
        done += 1;
      } catch (error) {
        reasons.set(run.id, errorSentence(error));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  const failures = runs.flatMap((run) => {
    const reason = reasons.get(run.id);
    return reason === undefined ? [] : [{ run, reason }];
  });
  return { done, failures };
}
