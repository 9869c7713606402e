import { anonymousOwner, createPoller, type Poller } from "@weft/run-host";
import { readRetention, retentionOf, toMoment } from "@weft/schema";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";

type Keepers = Needs<"agentReader" | "chats" | "personalRuns" | "privacy">;

const everyMs = 10 * 60_000;
/** Between two batches, so that other writers are not blocked for long. */
const pauseMs = 50;

/**
 * Erases old chats of visitors and old leads, in small batches. A chat with a run that is running or waits for a person
 * never counts as old.
 */
export function createVisitorRetention(context: Context, needs: Keepers): Poller {
  const { clock, config, logger } = context;
  const { leads } = needs.chats;
  return createPoller({
    clock,
    everyMs,
    async round(signal) {
      for (const { id, apiConfig } of await needs.agentReader.listSettings()) {
        if (signal.aborted) return;
        const { visitorMs, leadMs } = retentionOf(readRetention(apiConfig), config.visitorRetention);
        const before = (ms: number) => toMoment(clock.now() - ms);
        if (visitorMs > 0) await eraseIdle(context, needs, { agentId: id, before: before(visitorMs), signal });
        if (leadMs === 0) continue;
        while (!signal.aborted && (await leads.removeBefore(id, before(leadMs)))) await clock.sleep(pauseMs, signal);
      }
    },
    onFailure: (cause) => logger.error("visitor-retention-failed", { cause }),
  });
}

async function eraseIdle(
  { clock, logger }: Context,
  { chats, personalRuns, privacy }: Keepers,
  { agentId, before, signal }: { agentId: string; before: string; signal: AbortSignal },
): Promise<void> {
  for await (const idle of chats.personal.idle({ agentId, owner: anonymousOwner, before })) {
    if (signal.aborted) return;
    const open = await personalRuns.openAmong({
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
