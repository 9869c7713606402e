import type { Json, JsonObject, RunBudgetFacts, RunEventOf, RunInput, Share } from "@weft/schema";

export type AgentCall = {
  agentId: string;
  question: string;
  /** As a client of that agent would send it, limited to what the agent allows. */
  overrideConfig: JsonObject;
};

/** A run of another agent on behalf of a run. */
export type ChildRunRequest = AgentCall & {
  parent: {
    runId: string;
    share: Share;
    owner: string | undefined;
    chatOwner: string;
    input: RunInput;
    budget?: RunBudgetFacts | undefined;
  } & Pick<RunEventOf<"run-started">, "chatId" | "sessionId" | "chatType">;
  /** Of the requested run: 1 if a client's run makes the request. */
  depth: number;
  /** The same key always identifies the same run, whenever and wherever it is used. */
  idempotencyKey: string;
  /** Aborting cancels the run. */
  signal: AbortSignal;
};

export type ChildRunResult = { text: string; json?: Json; runId: string };

/**
 * Runs agents inside runs, without leaving the process. A run started earlier under the same key is awaited, not
 * started again. Rejects with the run's failure, or with a plain error when the process releases its runs: the answer
 * is then fetched after the restart.
 */
export type ChildRuns = { run(request: ChildRunRequest): Promise<ChildRunResult> };
