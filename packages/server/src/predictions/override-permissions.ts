import { z } from "zod";

const apiConfigSchema = z.object({
  overrideConfig: z.object({
    status: z.boolean(),
    nodes: z.record(z.string(), z.array(z.object({ name: z.string(), enabled: z.boolean() }))).default({}),
  }),
});

export type OverridePermissions = { labelsThatAllow(setting: string): string[] };

/** Reads an agent's `apiConfig`: which settings of which nodes, by their labels, a caller may override. */
export function readOverridePermissions(apiConfig: string): OverridePermissions {
  const parsed = apiConfigSchema.safeParse(parseOrUndefined(apiConfig));
  if (!parsed.success || !parsed.data.overrideConfig.status) return { labelsThatAllow: () => [] };
  const { nodes } = parsed.data.overrideConfig;
  return {
    labelsThatAllow: (setting) =>
      Object.entries(nodes)
        .filter(([, settings]) => settings.some(({ name, enabled }) => name === setting && enabled))
        .map(([label]) => label),
  };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
