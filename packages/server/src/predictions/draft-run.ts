import type { DraftRuns, RunnableAgent } from "@weft/agents";
import { ifFound } from "@weft/http";
import { WeftError } from "@weft/schema";
import { assertKey } from "./caller.ts";
import type { Message } from "./message.ts";

export type DraftRunDeps = {
  drafts: DraftRuns;
  getForRun(agentId: string): Promise<RunnableAgent>;
};

/**
 * A message to the draft of an agent, or to the published flow if there is no draft. Its run is always a test:
 * INTERNAL. Throws `draft-for-editors` for callers that may not edit agents.
 */
export function toDraftRun(deps: DraftRunDeps, message: Message): Message {
  const { agentId, caller } = message;
  if (!caller.mayRunDrafts) throw new WeftError("draft-for-editors");
  return {
    ...message,
    chatType: "INTERNAL",
    async readAgent() {
      const runnable = await readDraft(deps, agentId);
      await assertKey(runnable, caller);
      return runnable;
    },
  };
}

/** An agent with its draft, or as published if it has none. Rejects with `not-found`. */
export async function readDraft({ drafts, getForRun }: DraftRunDeps, agentId: string): Promise<RunnableAgent> {
  return (await ifFound(drafts.toRun(agentId))) ?? (await getForRun(agentId));
}
