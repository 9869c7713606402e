import { Badge } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Agent, AgentStats } from "@weft/client";
import { useMemo } from "react";
import { isUnpublished, nodeTypesQuery, shownFlowQuery } from "../../../api/agents.ts";
import { defaultModelQuery, modelProvidersQuery } from "../../../api/settings.ts";
import { Bot, MessageSquare } from "../../../icons/icons.gen.ts";
import { formatNumber } from "../../../languages/index.ts";
import { agentsStrings, commonStrings, runStateStrings } from "../../../strings.ts";
import { formatExactMoment, toAgo } from "../../../ui/content/format.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { ActionLink, TextLink } from "../../../ui/controls/links.tsx";
import { actionsColumn, type Column, DataTable, updatedColumn } from "../../../ui/list/list-page.tsx";
import { NodeIcon } from "../../../ui/node-icon.tsx";
import { StateBadge } from "../../../ui/runs/state-badge.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { VendorMark } from "../../../ui/vendor-mark.tsx";
import classes from "../agents.module.css";
import { type StatsById, tagsOf } from "../find-agents.ts";
import { AgentActions } from "./agent-actions.tsx";
import { modelOf, stepTypesOf } from "./flow-facts.ts";
import { NextRun } from "./next-run.tsx";

/** `stats`: undefined until they are known. */
type Props = { agents: readonly Agent[]; stats: StatsById | undefined };

export function AgentCards({ agents, stats }: Props) {
  return (
    <ul className={classes.grid}>
      {agents.map((agent) => (
        <AgentCard key={agent.id} agent={agent} stats={stats} />
      ))}
    </ul>
  );
}

export function AgentTable({ agents, stats }: Props) {
  const columns: Column<Agent>[] = [
    {
      key: "name",
      header: agentsStrings.name,
      cell: (agent) => (
        <div className={classes.named}>
          <TextLink to="/agents/$agentId" params={{ agentId: agent.id }} fw={600} c="var(--mantine-color-text)">
            {agent.name}
          </TextLink>
          <AgentBadges agent={agent} />
        </div>
      ),
    },
    { key: "model", header: agentsStrings.model, cell: (agent) => <AgentModel agent={agent} /> },
    {
      key: "week",
      header: agentsStrings.week,
      isNarrow: true,
      cell: ({ id }) => <WeekOfRuns stats={stats?.get(id)} />,
    },
    {
      key: "last-run",
      header: agentsStrings.lastRun,
      isNarrow: true,
      cell: ({ id, name }) => <LastRun name={name} stats={stats?.get(id)} isKnown={stats !== undefined} />,
    },
    { key: "next-run", header: agentsStrings.nextRun, isNarrow: true, cell: (agent) => <NextRun agent={agent} /> },
    updatedColumn(),
    actionsColumn((agent) => <AgentActions agent={agent} />),
  ];
  return <DataTable label={agentsStrings.title} columns={columns} rows={agents} idOf={({ id }) => id} />;
}

function AgentCard({ agent, stats }: { agent: Agent; stats: StatsById | undefined }) {
  const { id, name, updatedDate } = agent;
  const own = stats?.get(id);
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <div className={classes.icon}>
          <Bot size={20} strokeWidth={1.75} aria-hidden />
        </div>
        <Link to="/agents/$agentId" params={{ agentId: id }} className={classes.name}>
          {name}
        </Link>
        <div className={classes.above}>
          <AgentActions agent={agent} />
        </div>
      </div>
      <AgentSteps agent={agent} />
      <AgentModel agent={agent} />
      <AgentBadges agent={agent} />
      <div className={classes.runs}>
        <LastRun name={name} stats={own} isKnown={stats !== undefined} />
        <WeekOfRuns stats={own} />
      </div>
      <NextRun agent={agent} isAlone />
      <div className={classes.foot}>
        <Hint>
          {commonStrings.updated} · <Moment at={updatedDate} />
        </Hint>
        <ActionLink
          to="/agents/$agentId"
          params={{ agentId: id }}
          search={{ chat: true }}
          icon={MessageSquare}
          label={agentsStrings.chat}
          size="compact-sm"
          variant="subtle"
          className={classes.above}
          aria-label={agentsStrings.chatWith({ name })}
        />
      </div>
    </li>
  );
}

function AgentBadges({ agent }: { agent: Agent }) {
  return (
    <div className={classes.tags}>
      {isUnpublished(agent) && (
        <Badge size="sm" variant="light" color="orange">
          {agentsStrings.draftBadge}
        </Badge>
      )}
      {agent.isPublic && (
        <Badge size="sm" variant="light" color="teal">
          {agentsStrings.publicBadge}
        </Badge>
      )}
      {tagsOf(agent.category).map((tag) => (
        <Badge key={tag} size="sm" variant="light" color="gray" tt="none">
          {tag}
        </Badge>
      ))}
    </div>
  );
}

const shownCount = 8;

/** The steps of an agent in the order of its flow, as pictures. Nothing for flows of other formats. */
function AgentSteps({ agent }: { agent: Agent }) {
  const { data: flowData = "" } = useQuery(shownFlowQuery(agent));
  const { data: types } = useQuery(nodeTypesQuery);
  const steps = useMemo(() => {
    const byName = new Map(types?.map((type) => [type.type, type]));
    return stepTypesOf(flowData).flatMap((name) => byName.get(name) ?? []);
  }, [types, flowData]).filter(({ executes }) => executes);
  return (
    <div className={classes.steps}>
      {steps.slice(0, shownCount).map(({ icon, group }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two steps of one type look alike
        <NodeIcon key={index} icon={icon} group={group} size="xs" />
      ))}
      {steps.length > 0 && <Hint size="xs">{agentsStrings.steps({ count: steps.length })}</Hint>}
    </div>
  );
}

/** The first model of an agent, with its mark. Keeps its line where there is none, and while it is not known. */
function AgentModel({ agent }: { agent: Agent }) {
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
function WeekOfRuns({ stats }: { stats: AgentStats | undefined }) {
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
function LastRun({ name, stats, isKnown }: LastRunProps) {
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
