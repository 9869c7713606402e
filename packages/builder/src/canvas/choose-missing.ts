import type { NodeType } from "@weft/client";
import { type Finding, type FlowDocument, isJsonObject, type Json, type WidgetName } from "@weft/schema";

type SettingPlace = { nodeId: string; path: string };

/** A setting with a problem that a choice can resolve: a model, a credential, a tool … */
export type MissingChoice = SettingPlace & { schema: object };

/** Chosen values by `keyOf` their places; undefined: nothing chosen. */
export type MadeChoices = ReadonlyMap<string, Json | undefined>;

export function keyOf({ nodeId, path }: SettingPlace): string {
  return `${nodeId} ${path}`;
}

/** Choices that resolve findings, in step order, each once. */
export function findChoices(
  { nodes }: FlowDocument,
  findings: readonly Finding[],
  types: readonly NodeType[],
): MissingChoice[] {
  const errors = Map.groupBy(
    findings.filter(({ level, path }) => level === "error" && path !== undefined),
    ({ nodeId }) => nodeId,
  );
  return nodes.flatMap(({ id: nodeId, type }) => {
    const config = types.find((one) => one.type === type)?.config;
    const found = (errors.get(nodeId) ?? []).flatMap(({ path = "" }) => {
      const choice = config && choiceAt(config, path.split("."));
      return choice ? [{ nodeId, ...choice }] : [];
    });
    return [...new Map(found.map((choice) => [choice.path, choice])).values()];
  });
}

type FieldSchema = {
  title?: string;
  widget?: WidgetName;
  /** For a list: the name of an entry. */
  item?: string;
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
};

const choosable: ReadonlySet<WidgetName> = new Set([
  "model-settings",
  "credential",
  "agent",
  "document-store",
  "custom-tool",
  "custom-tools",
  "tool",
] as const);

/** The outermost setting along a path that can be chosen. */
function choiceAt(schema: FieldSchema, way: readonly string[]): Omit<MissingChoice, "nodeId"> | undefined {
  let inner: FieldSchema = schema;
  for (const [index, key] of way.entries()) {
    const entry: FieldSchema | undefined = inner.properties?.[key] ?? (isIndex(key) ? inner.items : undefined);
    if (entry === undefined) return undefined;
    const field = inner.widget === "tools" ? toTool(entry, inner) : entry;
    if (field.widget && choosable.has(field.widget)) return { path: way.slice(0, index + 1).join("."), schema: field };
    inner = entry;
  }
  return undefined;
}

/** An entry of a list of tools, as a separate setting. */
function toTool(entry: FieldSchema, { item = "tool" }: FieldSchema): FieldSchema {
  return { ...entry, title: `${item.charAt(0).toUpperCase()}${item.slice(1)}`, widget: "tool" };
}

function isIndex(key: string): boolean {
  return /^\d+$/.test(key);
}

/** The value of a setting in a flow. */
export function valueIn({ nodes }: FlowDocument, place: MissingChoice): Json | undefined {
  const config: Json | undefined = nodes.find(({ id }) => id === place.nodeId)?.config;
  return place.path.split(".").reduce<Json | undefined>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, config);
}

/** Applies choices to a flow: `choices` are those of the flow as it is. */
export function withChoices(flow: FlowDocument, choices: readonly MissingChoice[], made: MadeChoices): FlowDocument {
  // Last list entries first: removals then shift no index still to come.
  const ordered = choices.toSorted((a, b) => b.path.localeCompare(a.path, "en", { numeric: true }));
  const nodes = flow.nodes.map((node) => {
    let config: Json = node.config;
    for (const choice of ordered) {
      const isMade = choice.nodeId === node.id && made.has(keyOf(choice));
      if (isMade) config = withValue(config, choice.path.split("."), made.get(keyOf(choice)));
    }
    return config === node.config || !isJsonObject(config) ? node : { ...node, config };
  });
  return { ...flow, nodes };
}

function withValue(holder: Json | undefined, [key = "", ...rest]: readonly string[], value: Json | undefined): Json {
  if (Array.isArray(holder)) {
    const entry = rest.length === 0 ? value : withValue(holder[Number(key)], rest, value);
    return entry === undefined ? holder.toSpliced(Number(key), 1) : holder.with(Number(key), entry);
  }
  const { [key]: before, ...others } = isJsonObject(holder) ? holder : {};
  const after = rest.length === 0 ? value : withValue(before, rest, value);
  return after === undefined ? others : { ...others, [key]: after };
}

/**
 * The findings left after choices: `before` are those of the original flow, `after` the server's findings for the flow
 * with the choices. Remarks stay; errors of steps with a choice are those that remain.
 */
export function remainingFindings(
  before: readonly Finding[],
  after: readonly Finding[],
  chosen: ReadonlySet<string>,
): Finding[] {
  const isOfChosen = ({ nodeId }: Finding) => nodeId !== null && chosen.has(nodeId);
  return [
    ...before.filter((finding) => finding.level !== "error" || !isOfChosen(finding)),
    ...after.filter((finding) => finding.level === "error" && isOfChosen(finding)),
  ];
}
