/**
 * Flows of the platform itself, by the version id that their runs have: work on the journal that answers nobody. No
 * version of an agent begins so: theirs are uuids.
 */
export const builtInPrefix = "built-in:";

/** What runs of built-in flows have in place of an agent's id. */
export const noAgentId = "built-in";

export function isBuiltIn(flowVersionId: string): boolean {
  return flowVersionId.startsWith(builtInPrefix);
}
