import type { Agent, AgentStats } from "@weft/client";
import { languageTag } from "../../languages/index.ts";

/** What agents are found and sorted by. */
type ListedAgent = Pick<Agent, "id" | "name" | "category" | "updatedDate">;

type AgentFilter = {
  /** Words that name or tags contain, each of them; in any case. */
  search: string;
  /** Tags that an agent has, each of them. */
  tags: readonly string[];
};

export function findAgents<A extends ListedAgent>(agents: readonly A[], { search, tags }: AgentFilter): A[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return agents.filter((agent) => {
    const own = tagsOf(agent.category);
    const text = `${agent.name} ${own.join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word)) && tags.every((tag) => own.includes(tag));
  });
}

export type AgentSort = "changed" | "name" | "lastRun" | "runs";

/** Run statistics by agent id. Agents that never ran are left out. */
export type StatsById = ReadonlyMap<string, AgentStats>;

/**
 * Agents by name, or with the latest change, the latest run or most runs of the week first. Equal ones, such as those that
 * never ran, have the latest change first.
 */
export function sortAgents<A extends ListedAgent>(
  agents: readonly A[],
  sort: AgentSort,
  stats: StatsById = new Map(),
): A[] {
  const compare: Record<AgentSort, (a: A, b: A) => number> = {
    changed: () => 0,
    name: (a, b) => a.name.localeCompare(b.name, languageTag(), { numeric: true }),
    lastRun: (a, b) => compareText(lastRunOf(b), lastRunOf(a)),
    runs: (a, b) => runsOf(b) - runsOf(a),
  };
  const lastRunOf = ({ id }: A) => stats.get(id)?.lastRun.updatedDate ?? "";
  const runsOf = ({ id }: A) => stats.get(id)?.runs ?? 0;
  return agents.toSorted((a, b) => compare[sort](a, b) || compareText(b.updatedDate, a.updatedDate));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** An agent's tags: its category, split at each `;`. Empty ones and repetitions are left out. */
export function tagsOf(category: string): string[] {
  const tags = category.split(";").map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

/** The reverse of `tagsOf`. A `;` inside a tag becomes a comma. */
export function toCategory(tags: readonly string[]): string {
  return tags.map((tag) => tag.replaceAll(";", ",").trim()).join(";");
}

/** Every tag of the agents, in alphabetical order. */
export function allTags(agents: readonly ListedAgent[]): string[] {
  return [...new Set(agents.flatMap(({ category }) => tagsOf(category)))].sort((a, b) => a.localeCompare(b));
}
