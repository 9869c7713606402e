import type { NodeType } from "@weft/client";
import {
  errorPort,
  type FlowNode,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  type PortDefinition,
  portsOf,
  textOrEmpty,
} from "@weft/schema";
import { canvasStrings } from "../../strings.ts";
import type { FlowModel } from "./flow-model.ts";

/** A step, or what is to become one. */
type TypedNode = Pick<FlowNode, "type">;

/** The server's node types, for code that draws or connects nodes. */
export type NodeCatalogue = {
  readonly types: readonly NodeType[];
  /** Undefined for a type that this server does not have. */
  typeOf(node: TypedNode): NodeType | undefined;
  /** The output ports of a node besides its error port, for its current config. */
  portsOf(node: FlowNode): readonly PortDefinition[];
  hasInput(node: TypedNode): boolean;
  hasErrorPort(node: FlowNode): boolean;
  /** Whether edges may leave from the port. */
  hasPort(node: FlowNode, portId: string): boolean;
  hasSubFlow(node: FlowNode): boolean;
  isNote(node: FlowNode): boolean;
  /** Steps that a node loops back to by its settings, without an edge. */
  goesBackTo(node: FlowNode): string[];
};

export function createNodeCatalogue(types: readonly NodeType[]): NodeCatalogue {
  const byType = new Map(types.map((type) => [type.type, type]));
  const ports = new WeakMap<FlowNode, readonly PortDefinition[]>();
  const typeOf: NodeCatalogue["typeOf"] = (node) => byType.get(node.type);

  const catalogue: NodeCatalogue = {
    types,
    typeOf,
    portsOf(node) {
      const known = ports.get(node);
      if (known) return known;
      const type = typeOf(node);
      const found = type ? portsOf(type.ports, { ...defaultsOf(type), ...node.config }) : [];
      ports.set(node, found);
      return found;
    },
    hasInput: (node) => (typeOf(node)?.executes ?? true) && typeOf(node)?.group !== "start",
    hasErrorPort: (node) => catalogue.hasInput(node),
    hasPort: (node, portId) =>
      (portId === errorPort && catalogue.hasErrorPort(node)) || catalogue.portsOf(node).some(({ id }) => id === portId),
    hasSubFlow: (node) => typeOf(node)?.hasSubFlow ?? false,
    isNote: (node) => typeOf(node)?.executes === false,
    goesBackTo(node) {
      const { properties = {} }: FieldSchema = typeOf(node)?.config ?? {};
      const named = Object.keys(properties).filter((name) => properties[name]?.widget === "node");
      return named.map((name) => textOrEmpty(node.config[name])).filter((id) => id !== "");
    },
  };
  return catalogue;
}

/** The default values of a type's config. */
function defaultsOf({ config }: NodeType): JsonObject {
  const { properties = {} }: FieldSchema = config;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      schema.default === undefined ? [] : [[name, schema.default] as const],
    ),
  );
}

/** The node types that match a search: titles that begin with it come before those that contain it. */
export function searchNodeTypes(types: readonly NodeType[], query: string): NodeType[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...types];
  return types
    .map((type, order) => ({ type, order, rank: rankOf(type, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank || a.order - b.order)
    .map(({ type }) => type);
}

/** 0 if any word is not found. */
function rankOf({ title, type, summary, group }: NodeType, words: readonly string[]): number {
  const name = title.toLowerCase();
  const rest = `${type} ${group} ${summary}`.toLowerCase();
  let rank = 0;
  for (const word of words) {
    if (name.startsWith(word)) rank += 4;
    else if (name.includes(word)) rank += 3;
    else if (rest.includes(word)) rank += 1;
    else return 0;
  }
  return rank;
}

type FieldSchema = { title?: string; widget?: string; default?: Json; properties?: Record<string, FieldSchema> };

/** A one-line summary of a node's settings: the non-empty fields that its type's outline lists. */
export function outlineOf(node: FlowNode, type: NodeType, nodes: FlowModel["nodes"]): string {
  const config = { ...defaultsOf(type), ...node.config };
  return type.outline
    .map((path) => {
      const schema = schemaAt(type.config, path);
      const text = describe(valueAt(config, path), schema, nodes);
      return text === "" && schema.widget === "model" ? canvasStrings.outline.defaultModel : text;
    })
    .filter((text) => text !== "")
    .join(" · ");
}

/** The first line of the instructions that a node gives its model; empty if there are none. */
export function instructionsOf({ config }: FlowNode, type: NodeType): string {
  const { properties = {} }: FieldSchema = type.config;
  const name = Object.keys(properties).find((one) => properties[one]?.widget === "messages");
  const messages = name === undefined ? undefined : config[name];
  if (!Array.isArray(messages)) return "";
  const said = messages.filter(isJsonObject).find(({ role }) => role === "system")?.content;
  const lines = typeof said === "string" ? said.split("\n").map((line) => line.trim()) : [];
  return lines.find((line) => line !== "")?.slice(0, longestLine) ?? "";
}

/** Characters of a card's line. */
const longestLine = 120;

function describe(value: Json | undefined, schema: FieldSchema, nodes: FlowModel["nodes"]): string {
  if (typeof value === "string") {
    if (schema.widget === "node") return nodes.get(value)?.label || value;
    return value.replaceAll(/\s+/g, " ").trim().slice(0, longestLine);
  }
  const title = schema.title ?? "";
  if (Array.isArray(value) && schema.widget === "tools") return value.map(toolName).join(" · ");
  if (Array.isArray(value))
    return value.length === 0 ? "" : canvasStrings.outline.count({ title, count: value.length });
  if (typeof value === "number") return canvasStrings.outline.number({ title, value });
  return value === true ? title : "";
}

/** The name that the model calls a tool by, otherwise its type in words. */
function toolName(tool: Json): string {
  if (!isJsonObject(tool)) return "";
  const { type = "", config = {} } = tool;
  if (isJsonObject(config) && typeof config.name === "string" && config.name !== "") return config.name;
  const words = String(type).replaceAll(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is at a dotted path of a config; undefined if the path leads nowhere. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((inner, key) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    return Array.isArray(inner) ? inner[Number(key)] : inner[key];
  }, value);
}

function schemaAt(schema: JsonSchema, path: string): FieldSchema {
  return path.split(".").reduce<FieldSchema>((inner, key) => inner.properties?.[key] ?? {}, schema);
}
