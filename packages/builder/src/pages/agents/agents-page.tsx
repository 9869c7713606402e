import { Alert, Chip, Group, NativeSelect, SegmentedControl, VisuallyHidden } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Agent } from "@weft/client";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { agentStatsQuery } from "../../api/executions.ts";
import { defaultModelQuery, useMay } from "../../api/settings.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { Bot, Info, LayoutGrid, List, Plus } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { agentsStrings, choicesIn, commonStrings } from "../../strings.ts";
import { ActionLink, TextLink } from "../../ui/controls/links.tsx";
import { ListPage, SearchInput } from "../../ui/list/list-page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./agents.module.css";
import { AgentCards, AgentTable } from "./cards/agent-lists.tsx";
import { type AgentSort, allTags, findAgents, sortAgents } from "./find-agents.ts";

export function AgentsPage() {
  const agents = useQuery(agentsQuery);
  const createButton = useMay()("agents:write") && (
    <ActionLink to="/new" icon={Plus} variant="filled" label={agentsStrings.create} />
  );
  return (
    <ListPage
      strings={agentsStrings}
      icon={Bot}
      query={agents}
      rowHeight={200}
      action={createButton}
      notice={<RehearsalNotice />}
      list={(rows) => <AgentGrid agents={rows} />}
    />
  );
}

/** Says that no real model answers, where that is so, and where to connect one. */
function RehearsalNotice() {
  const { data } = useQuery(defaultModelQuery);
  if (data?.provider !== "rehearsal") return null;
  return (
    <Alert color="iris" variant="light" icon={<Info size={18} aria-hidden />} py="xs">
      {agentsStrings.rehearsal}{" "}
      <TextLink to="/models" fw={500}>
        {agentsStrings.connectModel}
      </TextLink>
    </Alert>
  );
}

type View = "cards" | "list";

/** The agents as cards or as a list, with a search in their names and tags. */
function AgentGrid({ agents }: { agents: readonly Agent[] }) {
  const { data: stats, error } = useQuery(agentStatsQuery);
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [sort, setSort] = useState<AgentSort>("changed");
  const [view, setView] = useLocalStorage<View>({
    key: "weft.agents-view",
    defaultValue: "cards",
    getInitialValueInEffect: false,
  });
  const known = useMemo(() => allTags(agents), [agents]);
  // A tag that went away with its last agent filters no more.
  const tags = chosen.filter((tag) => known.includes(tag));
  const words = useDeferredValue(search);
  const statsById = useMemo(() => stats && new Map(stats.map((one) => [one.agentflowId, one])), [stats]);
  const found = sortAgents(findAgents(agents, { search: words, tags }), sort, statsById);
  const Agents = view === "list" ? AgentTable : AgentCards;
  return (
    <>
      <Group gap="sm">
        <SearchInput label={agentsStrings.search} value={search} onChange={setSearch} />
        {known.length > 0 && <TagFilter known={known} chosen={tags} onChange={setChosen} />}
        <Hint role="status" ml="auto">
          {agentsStrings.count({ count: found.length })}
          {error !== null && stats === undefined && ` · ${agentsStrings.statsFailed}`}
        </Hint>
        <NativeSelect
          aria-label={agentsStrings.sortBy}
          value={sort}
          onChange={({ currentTarget: { value } }) => setSort(value as AgentSort)}
          data={sorts}
        />
        <SegmentedControl aria-label={agentsStrings.view} value={view} onChange={setView} data={views} />
      </Group>
      {found.length === 0 ? (
        <Hint ta="center" py="xl">
          {commonStrings.nothingFound({ text: formatList([words, ...tags].filter(Boolean)) })}
        </Hint>
      ) : (
        <Agents agents={found} stats={statsById} />
      )}
    </>
  );
}

const sorts = choicesIn(agentsStrings.sorts);

const views: { value: View; label: ReactNode }[] = [
  { value: "cards", label: viewLabel(LayoutGrid, agentsStrings.cards) },
  { value: "list", label: viewLabel(List, agentsStrings.list) },
];

function viewLabel(Icon: LucideIcon, name: string): ReactNode {
  return (
    <span className={classes.view} title={name}>
      <Icon size={16} aria-hidden />
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  );
}

type TagFilterProps = { known: readonly string[]; chosen: string[]; onChange: (tags: string[]) => void };

function TagFilter({ known, chosen, onChange }: TagFilterProps) {
  return (
    <Chip.Group multiple value={chosen} onChange={onChange}>
      <Group gap={6} miw={0} role="group" aria-label={agentsStrings.filterByTag}>
        {known.map((tag) => (
          <Chip
            key={tag}
            value={tag}
            size="xs"
            variant="outline"
            classNames={{ root: classes.filter, label: classes.filter }}
          >
            {tag}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}
