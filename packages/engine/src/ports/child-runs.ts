import type { Json, JsonObject, RunBudgetFacts, RunEventOf, RunInput, Share } from "@weft/schema";

/** What another agent is asked. */
export type AgentCall = {
  agentId: string;
  question: string;
  /** As a client of that agent sends it, and as far as that agent allows it. */
  overrideConfig: JsonObject;
};

/** A run of another agent on behalf of a run. */
export type ChildRunRequest = AgentCall & {
  parent: {
    runId: string;
    share: Share;
    owner: string | undefined;
    chatOwner: string;
    input: Pick<RunInput, "visitorWrites" | "isReplay">;
    budget?: RunBudgetFacts | undefined;
  } & Pick<RunEventOf<"run-started">, "chatId" | "sessionId" | "chatType">;
  /** Of the run that is asked for: 1 where a client's run asks. */
  depth: number;
  /** The same key asks for the same run, whenever and wherever it is used. */
  idempotencyKey: string;
  /** Aborting cancels the run. */
  signal: AbortSignal;
};

export type ChildRunResult = { text: string; json?: Json; runId: string };

/**
 * Runs agents inside runs, without leaving the process. A run that was begun under the same key is waited for, not
 * begun again. Rejects with what the run failed with, or with a plain error when the process lets go of its runs: then
 * the answer is fetched after the restart.
 */
export type ChildRuns = { run(request: ChildRunRequest): Promise<ChildRunResult> };
