import { useQueryClient } from "@tanstack/react-query";
import type { Execution } from "@weft/client";
import { useEffect, useMemo, useRef } from "react";
import { client } from "../../api/client.ts";
import { executionKeys, isGoingOn, lastExecutionQuery } from "../../api/executions.ts";
import { type CanvasSession, type StepTrials, toStepRuns } from "../../canvas/index.ts";
import { replayStrings } from "../../strings.ts";
import type { Draft } from "./use-draft.ts";

const lookMs = 400;

const states = {
  INPROGRESS: "running",
  FINISHED: "finished",
  STOPPED: "waiting",
  TERMINATED: "stopped",
  ERROR: "failed",
  TIMEOUT: "failed",
} as const;

/** Tries steps of the open draft one at a time. */
export function useStepTrials({ lastRun, runStates }: CanvasSession, draft: Draft, agentId: string): StepTrials {
  const queries = useQueryClient();
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  return useMemo(() => {
    /** Shows what the step does until it ends or waits. */
    async function follow(nodeId: string, begun: Execution): Promise<void> {
      const { signal } = left.current;
      runStates.set(nodeId, "running");
      let run = begun;
      while (isGoingOn(run) && !signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, lookMs));
        run = await client.getExecution({ id: begun.id }, { signal });
      }
      const done = toStepRuns(run).get(nodeId);
      if (done) lastRun.set(nodeId, done);
      runStates.set(nodeId, states[run.state]);
      void queries.invalidateQueries({ queryKey: executionKeys.all, refetchType: "none" });
    }

    return {
      save: draft.flush,
      async run(nodeId) {
        if (!(await draft.flush())) return;
        const id = lastRun.get(nodeId)?.executionId ?? (await queries.fetchQuery(lastExecutionQuery(agentId)));
        if (id === null) throw new Error(replayStrings.notYet);
        await follow(nodeId, await client.replayExecution({ id }, { nodeId, draft: true, only: true }));
      },
      async answer(nodeId, type) {
        const id = lastRun.get(nodeId)?.executionId ?? "";
        await follow(nodeId, await client.answerExecution({ id }, { type }));
      },
    };
  }, [queries, draft, agentId, lastRun, runStates]);
}
