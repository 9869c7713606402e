import { confidenceMs } from "@weft/engine";
import { type Reach, reaches } from "@weft/http/identity";
import { chatOwnerOf } from "@weft/schema";
import type { ReachedChat } from "../journal/index.ts";
import type { RunRow } from "../run-tables.ts";
import { heldMs } from "../run-timings.ts";
import type { HostContext } from "./host-context.ts";
import type { RunRecovery } from "./run-recovery.ts";

/**
 * Ends runs early, wherever they are. Promises resolve when no new step of them starts any more (G8): a run of this
 * process stops at once; another process is told of the cancel and ends the run; if it does not do so in time, it loses
 * the run, which is ended here.
 */
export type RunCancellation = {
  cancel(runId: string): Promise<void>;
  /** Of the chats with that id, those within reach. */
  cancelChat(agentId: string, chatId: string, reach: Reach): Promise<void>;
  /** For requests of other processes. Ignores runs that are not here. */
  cancelHere(runId: string): void;
};

const pollMs = 20;

/** `takeOver` continues a seized run here, and ends it because a cancel was requested. */
export function createRunCancellation(
  { store, clock, active, lessee, logger }: HostContext,
  takeOver: RunRecovery["takeOver"],
): RunCancellation {
  function cancelHere(runId: string): void {
    active.get(runId)?.handle.cancel();
  }

  /** A run may call its model before its start is committed: the database does not know it yet. */
  function cancelChatHere({ agentId, chatId, reach }: ReachedChat): void {
    for (const { handle } of active.values()) {
      const { started } = handle.state;
      if (started?.agentId !== agentId || started.chatId !== chatId) continue;
      if (reaches(reach, { agentId, owner: chatOwnerOf(started) })) handle.cancel();
    }
  }

  async function cancel(runId: string): Promise<void> {
    // First, so that a run that this one called ends with it.
    cancelHere(runId);
    const run = await store.requestCancel(runId);
    // A run about to be answered either ends here, or continues and learns of the cancel.
    if (run?.status === "suspended") await store.cancelWaiting({ runId }, clock.now());
    cancelHere(runId);
    if (run === undefined || (isWorkedOnHere(run) && !(await hasLeft(runId)))) return;
    await endElsewhere(run);
    // It may have started waiting before its process learned of the cancel.
    await store.cancelWaiting({ runId }, clock.now());
  }

  /**
   * Whether the run ended here, or started waiting, before the cancel came. If so, that is durable or lost when this
   * resolves.
   */
  async function hasLeft(runId: string): Promise<boolean> {
    const handle = active.get(runId)?.handle;
    if (handle === undefined || (handle.state.end === null && handle.state.pause === null)) return false;
    // Its host logs the failure.
    await handle.done.catch(() => undefined);
    return true;
  }

  /** After a stall, `active` still holds runs that other processes have taken over. */
  function isWorkedOnHere({ id, leaseOwner }: RunRow): boolean {
    return active.has(id) && (leaseOwner === null || leaseOwner === lessee.owner);
  }

  async function endElsewhere({ id: runId, leaseOwner }: RunRow): Promise<void> {
    // Nobody works on one that waits for a moment.
    const isIdle = leaseOwner === null;
    const until = clock.elapsed() + (isIdle ? 0 : heldMs(lessee.leaseMs));
    while (await store.isRunning(runId)) {
      if (clock.elapsed() >= until) return endSeized(runId, isIdle);
      await clock.sleep(pollMs, new AbortController().signal);
    }
  }

  async function endSeized(runId: string, isIdle: boolean): Promise<void> {
    const heldSince = clock.elapsed();
    const row = await store.seize(runId, lessee);
    if (row === undefined) return;
    logger.warn("run-seized", { runId });
    await takeOver({ row, heldSince });
    // Its process may not know yet, and start one more read on trust, whatever its lease.
    if (!isIdle) await clock.sleep(confidenceMs, new AbortController().signal);
  }

  return {
    cancel,
    cancelHere,
    async cancelChat(agentId, chatId, reach) {
      cancelChatHere({ agentId, chatId, reach });
      for (const run of await store.listOpen({ agentId, chatId, reach })) await cancel(run.id);
    },
  };
}
