import type { LeadService, PersonalChats } from "@weft/chats";
import type { Clock } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import { anonymousOwner, createPoller, type PersonalRuns, type Poller } from "@weft/run-host";
import { readRetention, retentionOf, toMoment, type VisitorRetention } from "@weft/schema";
import type { PrivacyService } from "../privacy/privacy.service.ts";

export type VisitorRetentionDeps = {
  listAgents(): Promise<readonly { id: string; apiConfig: string }[]>;
  chats: Pick<PersonalChats, "idle">;
  runs: Pick<PersonalRuns, "openAmong">;
  leads: Pick<LeadService, "removeBefore">;
  privacy: Pick<PrivacyService, "eraseChats">;
  clock: Clock;
  logger: Pick<Logger, "info" | "error">;
  /** What holds for every agent that does not say less. */
  installation: VisitorRetention;
};

const everyMs = 10 * 60_000;
/** Between two batches, so that other writers are never kept waiting for long. */
const pauseMs = 50;

/**
 * Erases chats of visitors that ended too long ago, and leads that are too old, in small batches. A chat whose run goes on
 * or waits for a person is never old.
 */
export function createVisitorRetention(deps: VisitorRetentionDeps): Poller {
  const { listAgents, leads, clock, logger, installation } = deps;
  return createPoller({
    clock,
    everyMs,
    async round(signal) {
      for (const { id, apiConfig } of await listAgents()) {
        if (signal.aborted) return;
        const { visitorMs, leadMs } = retentionOf(readRetention(apiConfig), installation);
        const before = (ms: number) => toMoment(clock.now() - ms);
        if (visitorMs > 0) await eraseIdle(deps, { agentId: id, before: before(visitorMs) }, signal);
        if (leadMs === 0) continue;
        while (!signal.aborted && (await leads.removeBefore(id, before(leadMs)))) await clock.sleep(pauseMs, signal);
      }
    },
    onFailure: (cause) => logger.error("visitor-retention-failed", { cause }),
  });
}

async function eraseIdle(
  { chats, runs, privacy, clock, logger }: VisitorRetentionDeps,
  { agentId, before }: { agentId: string; before: string },
  signal: AbortSignal,
): Promise<void> {
  for await (const idle of chats.idle({ agentId, owner: anonymousOwner, before })) {
    if (signal.aborted) return;
    const open = await runs.openAmong({
      agentId,
      owner: anonymousOwner,
      chatIds: [...new Set(idle.flatMap(({ sessionChats }) => sessionChats))],
    });
    const due = idle.filter(({ sessionChats }) => !sessionChats.some((id) => open.has(id)));
    const failed = await privacy.eraseChats(due);
    for (const { chatId, cause } of failed) logger.error("visitor-chat-kept", { agentId, chatId, cause });
    if (due.length > failed.length) logger.info("visitor-chats-erased", { agentId, count: due.length - failed.length });
    await clock.sleep(pauseMs, signal);
  }
}
