import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Agent, AgentStats } from "@weft/client";
import { useMemo } from "react";
import { nodeTypesQuery, shownFlowQuery } from "../../../api/agents.ts";
import { defaultModelQuery, modelProvidersQuery } from "../../../api/settings.ts";
import { formatNumber } from "../../../languages/index.ts";
import { agentsStrings, runStateStrings } from "../../../strings.ts";
import { formatExactMoment, toAgo } from "../../../ui/content/format.ts";
import { StateBadge } from "../../../ui/runs/state-badge.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { VendorMark } from "../../../ui/vendor-mark.tsx";
import classes from "../agents.module.css";
import { modelOf } from "./flow-facts.ts";

/** The first model of an agent, with its mark. Keeps its line where there is none, and while it is not known. */
export function AgentModel({ agent }: { agent: Agent }) {
  const { data: flowData } = useQuery(shownFlowQuery(agent));
  const { data: types } = useQuery(nodeTypesQuery);
  const { data: byDefault } = useQuery(defaultModelQuery);
  const { data: providers } = useQuery(modelProvidersQuery);
  const used = useMemo(
    () => (flowData && types && byDefault ? modelOf(flowData, types, byDefault) : undefined),
    [flowData, types, byDefault],
  );
  if (used === undefined) return <div className={classes.model} />;
  const { provider, model, isDefault } = used;
  const title =
    provider === "rehearsal"
      ? agentsStrings.rehearsalModel
      : (providers?.find(({ name }) => name === provider)?.title ?? provider);
  const name = model || title;
  return (
    <div className={classes.model}>
      <VendorMark name={provider} title={title} />
      <Hint size="xs" truncate title={name}>
        {isDefault ? agentsStrings.defaultModel({ name }) : name}
      </Hint>
    </div>
  );
}

const heightPx = 20;
const stepPx = 8;
const barPx = 6;
/** So that a day with a single run is seen, and one without is a dot. */
const leastPx = { some: 4, none: 1 };

/** The runs of the last seven days, a bar each, with failures in red at the foot. Empty where none ran. */
export function WeekOfRuns({ stats }: { stats: AgentStats | undefined }) {
  if (stats === undefined || stats.runs === 0) return <div className={classes.week} />;
  const { runs, failures, volume } = stats;
  const most = Math.max(...volume.map((day) => day.runs));
  const scale = (count: number, least: number) => Math.max(least, (count / most) * heightPx);
  return (
    <div className={classes.week}>
      <svg
        viewBox={`0 0 ${volume.length * stepPx} ${heightPx}`}
        width={volume.length * stepPx}
        height={heightPx}
        role="img"
        aria-label={agentsStrings.weekOfRuns({ runs, failures })}
      >
        <title>{agentsStrings.weekOfRuns({ runs, failures })}</title>
        {volume.map((day, index) => {
          const bars = [
            { height: scale(day.runs, day.runs > 0 ? leastPx.some : leastPx.none), isFailed: false },
            { height: day.failures > 0 ? scale(day.failures, leastPx.some) : 0, isFailed: true },
          ];
          return bars.map(({ height, isFailed }) => (
            <rect
              key={`${day.startDate} ${isFailed}`}
              x={index * stepPx}
              y={heightPx - height}
              width={barPx}
              height={height}
              rx={1}
              className={classes.bar}
              data-failed={isFailed || undefined}
              data-none={day.runs === 0 || undefined}
            />
          ));
        })}
      </svg>
      <span aria-hidden>{formatNumber(runs)}</span>
    </div>
  );
}

type LastRunProps = {
  name: string;
  stats: AgentStats | undefined /** Whether it is known that there is none. */;
  isKnown: boolean;
};

/** How the last run went and when that was, as a link to it. */
export function LastRun({ name, stats, isKnown }: LastRunProps) {
  if (stats === undefined) {
    return (
      <Hint size="xs" className={classes.lastRun}>
        {isKnown && agentsStrings.neverRan}
      </Hint>
    );
  }
  const { id, state, updatedDate } = stats.lastRun;
  const ago = toAgo(Date.parse(updatedDate), Date.now());
  return (
    <Link
      to="/executions/$executionId"
      params={{ executionId: id }}
      className={classes.lastRun}
      title={formatExactMoment(updatedDate)}
      aria-label={agentsStrings.lastRunOf({ agent: name, stateAndTime: `${runStateStrings[state]} ${ago}` })}
    >
      <StateBadge run={{ state, action: null }} /> <span>{ago}</span>
    </Link>
  );
}
