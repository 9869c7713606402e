import type { Agent } from "@weft/client";
import { tagsOf } from "./tags.ts";

export type AgentFilter = {
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
