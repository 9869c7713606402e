import type { Agent } from "@weft/client";

/** The demonstration agent that was there first; undefined once all are deleted. */
export function findDemoAgent(agents: readonly Agent[]): Agent | undefined {
  return agents
    .filter(({ category }) => category.split(";").includes("Demonstration"))
    .sort((a, b) => a.createdDate.localeCompare(b.createdDate))[0];
}
