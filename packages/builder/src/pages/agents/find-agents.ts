import type { Agent } from "@weft/client";

type AgentFilter = {
  /** Words that name or tags contain, each of them; in any case. */
  search: string;
  /** Tags that an agent has, each of them. */
  tags: readonly string[];
};

/** The agents that match, most recently changed first. */
export function findAgents<A extends Pick<Agent, "name" | "category" | "updatedDate">>(
  agents: readonly A[],
  { search, tags }: AgentFilter,
): A[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return agents
    .filter((agent) => {
      const own = tagsOf(agent);
      const text = `${agent.name} ${own.join(" ")}`.toLowerCase();
      return words.every((word) => text.includes(word)) && tags.every((tag) => own.includes(tag));
    })
    .sort((a, b) => b.updatedDate.localeCompare(a.updatedDate));
}

/** An agent's tags: its category, split at each `;`. Empty ones and repetitions are left out. */
export function tagsOf({ category }: Pick<Agent, "category">): string[] {
  const tags = category.split(";").map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

/** The reverse of `tagsOf`. A `;` inside a tag becomes a comma. */
export function toCategory(tags: readonly string[]): string {
  return tags.map((tag) => tag.replaceAll(";", ",").trim()).join(";");
}

/** Every tag of the agents, in alphabetical order. */
export function allTags(agents: readonly Pick<Agent, "category">[]): string[] {
  return [...new Set(agents.flatMap(tagsOf))].sort((a, b) => a.localeCompare(b));
}

/** The types of a stored flow's nodes, in its order. Empty for flows of other formats. */
export function stepTypesOf(flowData: string): string[] {
  try {
    const { weft, nodes = [] } = JSON.parse(flowData) as { weft?: number; nodes?: { type: string }[] };
    return weft === undefined ? [] : nodes.map(({ type }) => type);
  } catch {
    return [];
  }
}
