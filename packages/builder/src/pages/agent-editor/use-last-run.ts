import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { executionQuery, lastExecutionQuery } from "../../api/executions.ts";
import { type CanvasSession, toStepRuns } from "../../canvas/index.ts";

/** A run is looked up once its steps have stopped changing for so long. */
const restMs = 400;

/** Shows the agent's last run on its canvas. Returns what is to be called while a run goes on. */
export function useLastRun({ lastRun }: CanvasSession, agentId: string): () => void {
  const queries = useQueryClient();
  const { data: id } = useQuery(lastExecutionQuery(agentId));
  const { data: execution } = useQuery({ ...executionQuery(id ?? ""), enabled: typeof id === "string" });
  // A replay may have made one step alone: the others are shown as they were.
  const replayed = execution?.replayedFrom ?? undefined;
  const { data: before } = useQuery({ ...executionQuery(replayed ?? ""), enabled: replayed !== undefined });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!execution) return;
    const own = execution.steps.filter((step) => !step.isRepeated);
    const runs = toStepRuns(before ? { ...execution, steps: own } : execution);
    lastRun.replace(before ? new Map([...toStepRuns(before), ...runs]) : runs);
  }, [execution, before, lastRun]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void queries.invalidateQueries(lastExecutionQuery(agentId)), restMs);
  }, [queries, agentId]);
}
