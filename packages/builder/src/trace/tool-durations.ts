import type { Execution, Json } from "@weft/client";

type Call = { tool: string; input: Json };

/**
 * The duration of each call in milliseconds, from the run's journal; null if unknown. A run with human input has more
 * calls than any one of its messages, which contains the last of them.
 */
export function toolDurations({ steps }: Pick<Execution, "steps">, calls: readonly Call[]): (number | null)[] {
  const effects = steps
    .flatMap((step) => step.effects)
    .filter(({ category }) => category === "tool")
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  const made = Map.groupBy(effects, ({ name, input }) => keyOf(name, input));
  const counts = Map.groupBy(calls, ({ tool, input }) => keyOf(tool, input));
  for (const [key, own] of made) made.set(key, own.slice(-(counts.get(key)?.length || own.length)));
  return calls.map(({ tool, input }) => made.get(keyOf(tool, input))?.shift()?.durationMs ?? null);
}

function keyOf(name: string, input: Json): string {
  return JSON.stringify([name, input]);
}
