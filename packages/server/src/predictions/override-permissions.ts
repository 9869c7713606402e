import { z } from "zod";
import type { Caller } from "./admit.ts";

const named = z.object({ name: z.string(), enabled: z.boolean() }).catch({ name: "", enabled: false });
const overrideSettings = z.object({
  status: z.literal(true),
  nodes: z.record(z.string(), z.array(named).catch([])).catch({}),
  variables: z.array(named).catch([]),
  history: z.boolean().catch(false),
});
const apiConfigSchema = z.object({ overrideConfig: overrideSettings });

/** What a caller may change for one run. `sessionId` is everybody's own. */
export type OverridePermissions = {
  /** Everything but credentials, addresses and chat ids; the owner's model parameters are not ceilings. */
  isAuthor: boolean;
  /** A setting of the nodes with this label. Model parameters are named `temperature`, `maxTokens` and `topP`. */
  allows(label: string, setting: string): boolean;
  /** Of any node. */
  allowsSomewhere(setting: string): boolean;
  allowsVariable(name: string): boolean;
  /** Whether the caller's `history` may take the place of the stored memory. */
  allowsHistory: boolean;
};

/**
 * What the caller of an agent may override: its authors everything, everybody else what its `apiConfig` enables. API keys
 * bring their own history, visitors only where that is enabled. Source: contract "Prediction".
 */
export function overridePermissions(
  apiConfig: string,
  { mayEdit = false, isAnonymous = false }: Pick<Caller, "mayEdit" | "isAnonymous">,
): OverridePermissions {
  if (mayEdit) {
    const always = () => true;
    return { isAuthor: true, allows: always, allowsSomewhere: always, allowsVariable: always, allowsHistory: true };
  }
  const enabled = readEnabled(apiConfig);
  return {
    isAuthor: false,
    allows: (label, setting) => enabled.nodes.get(label)?.has(setting) ?? false,
    allowsSomewhere: (setting) => [...enabled.nodes.values()].some((settings) => settings.has(setting)),
    allowsVariable: (name) => enabled.variables.has(name),
    allowsHistory: !isAnonymous || enabled.history,
  };
}

function readEnabled(apiConfig: string) {
  const parsed = apiConfigSchema.safeParse(parseOrUndefined(apiConfig));
  const { nodes, variables, history } = parsed.data?.overrideConfig ?? { nodes: {}, variables: [], history: false };
  const namesOf = (list: readonly z.infer<typeof named>[]) =>
    new Set(list.flatMap(({ name, enabled }) => (enabled ? [name] : [])));
  return {
    nodes: new Map(Object.entries(nodes).map(([label, settings]) => [label, namesOf(settings)])),
    variables: namesOf(variables),
    history,
  };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
