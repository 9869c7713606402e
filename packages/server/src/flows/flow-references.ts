import type { Flow, Json } from "@weft/schema";

/** What a flow refers to by id, or by name. */
export const referenceKinds = ["credential", "tool", "agent", "document-store", "mcp-server"] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

export type FlowReference = { kind: ReferenceKind; id: string; nodeId: string };

/** Settings that hold ids, by name. Every setting with a widget for such a thing is among them. */
export const kindsBySetting: Readonly<Record<string, ReferenceKind>> = {
  credential: "credential",
  callbackCredential: "credential",
  toolId: "tool",
  toolIds: "tool",
  agentId: "agent",
  storeId: "document-store",
};

/** Settings whose keys are somebody else's words. */
const foreign = new Set(["headers", "parameters", "query", "body", "overrides", "arguments"]);

/** What a flow's nodes refer to, each thing once a node. Templates, which are known at run time only, are left out. */
export function referencesOf({ nodes }: Pick<Flow, "nodes">): FlowReference[] {
  return nodes.flatMap(({ id: nodeId, config }) => {
    const found = new Map<string, FlowReference>();
    for (const [kind, id] of collect(config)) {
      if (id !== "" && !id.includes("{{")) found.set(`${kind} ${id}`, { kind, id, nodeId });
    }
    return [...found.values()];
  });
}

type Found = readonly [kind: ReferenceKind, id: string];

function collect(value: Json): Found[] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap(collect);
  const inner = Object.entries(value).flatMap(([name, setting]) => collectSetting(name, setting));
  return [...inner, ...mcpServerOf(value)];
}

function collectSetting(name: string, setting: Json): Found[] {
  if (foreign.has(name)) return [];
  const kind = Object.hasOwn(kindsBySetting, name) ? kindsBySetting[name] : undefined;
  if (kind === undefined) return collect(setting);
  const ids = Array.isArray(setting) ? setting : [setting];
  return ids.flatMap((id) => (typeof id === "string" ? [[kind, id] as const] : []));
}

/** The name of a local server, where a tool is one. */
function mcpServerOf({ type, config }: { [name: string]: Json }): Found[] {
  if (type !== "mcp-server" || config === null || typeof config !== "object" || Array.isArray(config)) return [];
  return typeof config.server === "string" ? [["mcp-server", config.server]] : [];
}
