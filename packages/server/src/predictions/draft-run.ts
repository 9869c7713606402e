import type { DraftRuns, RunnableAgent } from "@weft/agents";
import { ifFound } from "@weft/http";
import { WeftError } from "@weft/schema";
import { assertKey } from "./caller.ts";
import type { Message } from "./message.ts";

export type DraftRunDeps = {
  drafts: Pick<DraftRuns, "toRun">;
  getForRun(agentId: string): Promise<RunnableAgent>;
  /** Binds credentials to the hosts that an agent names. */
  bindHosts(agent: { flowData: string; apiConfig: string; speechToText: string }): Promise<void>;
};

/**
 * A message to the draft of an agent, or to the published flow where there is none. Its run is a test whoever asks:
 * INTERNAL. Throws `draft-for-editors` for callers that may not edit agents.
 */
export function toDraftRun(deps: DraftRunDeps, message: Message): Message {
  const { agentId, caller } = message;
  if (!caller.mayRunDrafts) throw new WeftError("draft-for-editors");
  return {
    ...message,
    chatType: "INTERNAL",
    async readAgent() {
      const runnable = (await ifFound(deps.drafts.toRun(agentId))) ?? (await deps.getForRun(agentId));
      await assertKey(runnable, caller);
      const { agent, flowData } = runnable;
      if (caller.mayBindHosts) await deps.bindHosts({ ...agent, flowData });
      return runnable;
    },
  };
}
