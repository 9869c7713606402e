import { toMoment } from "@weft/schema";
import { findOverdue } from "../runs/payload-retention.ts";
import type { Check } from "./check.ts";

/** A server removes within minutes what is due. What is due for longer waits for the next start. */
const graceMs = 3_600_000;

/** What the next start will remove of runs that ended long ago: after an upgrade, or a shorter setting, it can be much. */
export const retentionCheck: Check = {
  name: "retention",
  async run({ read, config: { executionRetentionMs, payloadRetentionMs }, now }) {
    const messages: string[] = [];
    const before = (ms: number) => toMoment(now() - ms - graceMs);
    if (executionRetentionMs > 0) {
      const { runs } = await findOverdue(read, { before: before(executionRetentionMs), since: "ever" });
      if (runs > 0) {
        messages.push(`EXECUTION_RETENTION: ${runs} runs ended so long ago that a server deletes them when it runs.`);
      }
    }
    if (payloadRetentionMs > 0) {
      const { runs, bytes } = await findOverdue(read, { before: before(payloadRetentionMs), since: "mark" });
      if (bytes > 0) {
        messages.push(
          `PAYLOAD_RETENTION: a server removes up to ${Math.ceil(bytes / 1_024 ** 2)} MB of large inputs and outputs from runs that ended before ${before(payloadRetentionMs)} (${runs} are looked at). Set it to off, or to more days, to keep them.`,
        );
      }
    }
    return messages.map((message) => ({ message }));
  },
};
