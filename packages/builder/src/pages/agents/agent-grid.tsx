import { Chip, Group, Text } from "@mantine/core";
import type { Agent } from "@weft/client";
import { useDeferredValue, useMemo, useState } from "react";
import { SearchInput } from "../../components/search-input.tsx";
import { agentsStrings } from "../../strings/agents.ts";
import { commonStrings } from "../../strings/common.ts";
import { AgentCard } from "./agent-card.tsx";
import classes from "./agents.module.css";
import { findAgents } from "./find-agents.ts";
import { allTags } from "./tags.ts";

/** The agents as cards, with a search in their names and tags. */
export function AgentGrid({ agents }: { agents: readonly Agent[] }) {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const known = useMemo(() => allTags(agents), [agents]);
  // A tag that went away with its last agent filters no more.
  const tags = chosen.filter((tag) => known.includes(tag));
  const words = useDeferredValue(search);
  const found = findAgents(agents, { search: words, tags });
  return (
    <>
      <Group gap="sm">
        <SearchInput label={agentsStrings.search} value={search} onChange={setSearch} />
        {known.length > 0 && (
          <Chip.Group multiple value={tags} onChange={setChosen}>
            <Group gap={6} role="group" aria-label={agentsStrings.filterByTag}>
              {known.map((tag) => (
                <Chip key={tag} value={tag} size="xs" variant="light">
                  {tag}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        )}
        <Text size="sm" c="dimmed" role="status" ml="auto">
          {agentsStrings.count(found.length)}
        </Text>
      </Group>
      {found.length === 0 ? (
        <Text c="dimmed" size="sm" ta="center" py="xl">
          {commonStrings.nothingFound([words, ...tags].filter(Boolean).join(", "))}
        </Text>
      ) : (
        <ul className={classes.grid}>
          {found.map((agent) => (
            <AgentCard key={agent.id} agent={agent} />
          ))}
        </ul>
      )}
    </>
  );
}
