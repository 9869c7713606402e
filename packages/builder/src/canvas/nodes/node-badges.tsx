import { Tooltip } from "@mantine/core";
import type { Finding } from "@weft/schema";
import { Ban, Check, Hourglass, LoaderCircle, type LucideIcon, Square, TriangleAlert, X } from "lucide-react";
import { canvasStrings } from "../../strings/canvas.ts";
import { useCanvas, useKeyed } from "../canvas-context.ts";
import type { NodeRunState } from "../canvas-session.ts";
import classes from "./node-card.module.css";

const runIcons: Record<NodeRunState, LucideIcon> = {
  running: LoaderCircle,
  finished: Check,
  failed: X,
  waiting: Hourglass,
  rejected: Ban,
  stopped: Square,
};

/** The run state and the problems of a node. */
export function NodeBadges({ nodeId, run }: { nodeId: string; run: NodeRunState | undefined }) {
  const findings = useKeyed(useCanvas().findings, nodeId);
  if (run === undefined && findings === undefined) return null;
  return (
    <div className={classes.badges}>
      {findings !== undefined && <FindingsBadge findings={findings} />}
      {run !== undefined && <RunBadge run={run} />}
    </div>
  );
}

function FindingsBadge({ findings }: { findings: readonly Finding[] }) {
  const level = findings.some((finding) => finding.level === "error") ? "error" : "warning";
  const text = findings.map(({ message }) => message).join("\n");
  return (
    <Tooltip label={text} multiline maw={340} style={{ whiteSpace: "pre-line" }} openDelay={100}>
      <span className={classes.badge} data-kind={level} role="img" aria-label={text}>
        <TriangleAlert size={12} strokeWidth={2.5} aria-hidden />
      </span>
    </Tooltip>
  );
}

function RunBadge({ run }: { run: NodeRunState }) {
  const Icon = runIcons[run];
  return (
    <span className={classes.badge} data-kind={run} role="img" aria-label={canvasStrings.runStates[run]}>
      <Icon size={12} strokeWidth={3} aria-hidden />
    </span>
  );
}
