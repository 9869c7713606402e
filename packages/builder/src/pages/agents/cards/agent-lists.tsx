import { Badge } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { useMemo } from "react";
import { isUnpublished, nodeTypesQuery, shownFlowQuery } from "../../../api/agents.ts";
import { Bot, MessageSquare } from "../../../icons/icons.gen.ts";
import { agentsStrings, commonStrings } from "../../../strings.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { ActionLink, TextLink } from "../../../ui/controls/links.tsx";
import { actionsColumn, type Column, DataTable, updatedColumn } from "../../../ui/list/list-page.tsx";
import { NodeIcon } from "../../../ui/node-icon.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import classes from "../agents.module.css";
import { type StatsById, tagsOf } from "../find-agents.ts";
import { AgentActions } from "./agent-actions.tsx";
import { AgentModel, LastRun, WeekOfRuns } from "./agent-facts.tsx";
import { stepTypesOf } from "./flow-facts.ts";

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
      {tagsOf(agent).map((tag) => (
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
