import { type Json, type JsonObject, parseJson, textOrEmpty, toJsonList, toJsonObject } from "@weft/schema";

/** A node whose settings callers can be allowed to override, with the names on offer. */
type OverridableNode = { label: string; names: readonly string[] };

/** The overrides allowed for callers who cannot edit the agent. */
export type OverrideSettings = {
  isOn: boolean;
  variables: readonly string[];
  /** Names of settings by the node's label. */
  nodes: Readonly<Record<string, readonly string[]>>;
  history: boolean;
};

const parameters = ["temperature", "maxTokens", "topP"];
const typesWithModel = ["llm", "agent", "condition-agent", "human-input"];
/** The server lets no caller of this kind change them. */
const protectedName =
  /credential|secret|url|host|server|link|address|endpoint|header|openApiFile|yamlFile|^(tools?|agentId|knowledge|stores|storeId|code|chatId)$/i;

export function toOverrideSettings(api: JsonObject): OverrideSettings {
  const stored = toJsonObject(api.overrideConfig);
  const nodes = Object.entries(toJsonObject(stored.nodes)).map(([label, list]) => [label, enabledIn(list)] as const);
  return {
    isOn: stored.status === true,
    variables: enabledIn(stored.variables),
    nodes: Object.fromEntries(nodes),
    history: stored.history === true,
  };
}

/** The new stored value. Keeps unchanged entries and those of other clients. */
export function fromOverrideSettings(api: JsonObject, settings: OverrideSettings): JsonObject {
  const before = toOverrideSettings(api);
  const changed: JsonObject = {};
  const stored = toJsonObject(api.overrideConfig);
  if (settings.isOn !== before.isOn) changed.status = settings.isOn;
  if (settings.history !== before.history) changed.history = settings.history;
  if (!isSame(settings.variables, before.variables)) changed.variables = enable(stored.variables, settings.variables);
  const labels = Object.keys(settings.nodes).filter(
    (label) => !isSame(settings.nodes[label] ?? [], before.nodes[label] ?? []),
  );
  if (labels.length > 0) {
    const nodes = toJsonObject(stored.nodes);
    const entries = labels.map((label) => [label, enable(nodes[label], settings.nodes[label] ?? [])] as const);
    changed.nodes = { ...nodes, ...Object.fromEntries(entries) };
  }
  return Object.keys(changed).length === 0 ? api : { ...api, overrideConfig: { ...stored, ...changed } };
}

/** The nodes of a flow, native or foreign, that have something to override. */
export function overridableNodes(flowData: string, { nodes: enabled }: OverrideSettings): OverridableNode[] {
  const found = new Map<string, Set<string>>();
  for (const node of nodesOf(flowData)) {
    const data = toJsonObject(node.data);
    const label = textOrEmpty(node.label) || textOrEmpty(data.label);
    const hasModel =
      typesWithModel.includes(textOrEmpty(node.type)) ||
      /^(llm|agent|conditionAgent|humanInput)Agentflow/.test(textOrEmpty(data.name));
    const names = [...Object.keys(toJsonObject(node.config)), ...Object.keys(toJsonObject(data.inputs))];
    const offered = [...(hasModel ? parameters : []), ...names.filter((name) => !protectedName.test(name))];
    if (label !== "" && offered.length > 0) found.set(label, new Set([...(found.get(label) ?? []), ...offered]));
  }
  for (const [label, names] of Object.entries(enabled)) {
    if (names.length > 0) found.set(label, new Set([...(found.get(label) ?? []), ...names]));
  }
  return [...found].map(([label, names]) => ({ label, names: [...names] }));
}

function nodesOf(flowData: string): JsonObject[] {
  return toJsonList(toJsonObject(parseJson(flowData)).nodes).map(toJsonObject);
}

function enabledIn(list: Json | undefined): string[] {
  return toJsonList(list)
    .map(toJsonObject)
    .flatMap(({ name, enabled }) => (enabled === true && typeof name === "string" ? [name] : []));
}

/** A stored list with exactly these names enabled. */
function enable(list: Json | undefined, names: readonly string[]): Json[] {
  const stored = toJsonList(list).map(toJsonObject);
  const kept = stored.map((entry) => ({ ...entry, enabled: names.includes(textOrEmpty(entry.name)) }));
  const known = new Set(stored.map(({ name }) => textOrEmpty(name)));
  const added = names
    .filter((name) => !known.has(name))
    .map((name) => ({ label: name, name, type: "string", enabled: true }));
  return [...kept, ...added];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join("\n") === b.toSorted().join("\n");
}
