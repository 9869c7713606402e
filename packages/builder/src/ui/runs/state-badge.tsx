import type { ExecutionSummary } from "@weft/client";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { CircleCheck, CircleDashed, CircleSlash, CircleX, Clock, Hand } from "../../icons/icons.gen.ts";
import { runStateStrings } from "../../strings.ts";
import { StatusBadge, type StatusTone } from "../page/page.tsx";

const looks: Record<ExecutionSummary["state"], { tone: StatusTone; icon: LucideIcon }> = {
  INPROGRESS: { tone: "busy", icon: CircleDashed },
  FINISHED: { tone: "good", icon: CircleCheck },
  ERROR: { tone: "bad", icon: CircleX },
  TIMEOUT: { tone: "bad", icon: Clock },
  TERMINATED: { tone: "plain", icon: CircleSlash },
  STOPPED: { tone: "attention", icon: Hand },
};

/** Waiting, but not for a person. */
const pausing = { tone: "plain", icon: Clock } as const;

export function StateBadge({ run: { state, action } }: { run: Pick<ExecutionSummary, "state" | "action"> }) {
  const look = state === "STOPPED" && action === null ? pausing : looks[state];
  return <StatusBadge {...look}>{runStateStrings[state]}</StatusBadge>;
}
