import type { Agent } from "@weft/client";

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
