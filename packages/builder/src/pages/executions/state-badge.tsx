import { CircleCheck, CircleDashed, CircleSlash, CircleX, Clock, Hand, type LucideIcon } from "lucide-react";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { executionStrings } from "../../strings/executions.ts";
import type { ExecutionState } from "./executions-search.ts";

const looks: Record<ExecutionState, { tone: StatusTone; icon: LucideIcon }> = {
  INPROGRESS: { tone: "busy", icon: CircleDashed },
  FINISHED: { tone: "good", icon: CircleCheck },
  ERROR: { tone: "bad", icon: CircleX },
  TIMEOUT: { tone: "bad", icon: Clock },
  TERMINATED: { tone: "plain", icon: CircleSlash },
  STOPPED: { tone: "attention", icon: Hand },
};

/** The state of a run. */
export function StateBadge({ state }: { state: ExecutionState }) {
  return <StatusBadge {...looks[state]}>{executionStrings.states[state]}</StatusBadge>;
}
