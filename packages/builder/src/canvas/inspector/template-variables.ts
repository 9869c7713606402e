import { type Json, type JsonObject, toJsonList, toJsonObject } from "@weft/schema";
import type { TemplateVariable } from "../../forms/code/editor-props.ts";
import { type Field, toForm } from "../../forms/fields/to-field.ts";
import { formStrings } from "../../strings.ts";

/** The parts of a flow needed to determine its template variables. */
type FlowOutline = {
  nodes: readonly { id: string; type: string; label: string; parent?: string | undefined; config: JsonObject }[];
  edges: readonly { source: string; target: string }[];
  /** JSON Schema of the config of each node type. */
  schemas: Readonly<Record<string, object>>;
  /** Names of the platform's variables. */
  variables: readonly string[];
};

type Node = FlowOutline["nodes"][number];

/**
 * The variables a node's templates can refer to: the built-in ones, those its nodes' configs provide, and the answers
 * of earlier steps. Depends only on the `provides` of fields, never on a node's type.
 */
export function templateVariables(flow: FlowOutline, nodeId: string): TemplateVariable[] {
  const node = flow.nodes.find(({ id }) => id === nodeId);
  const named = (provided: "$form" | "$flow.state") =>
    unique(flow.nodes.flatMap((one) => namesIn(flow, one, provided))).map((name) => `${provided}.${name}`);
  const { always, iteration, groups } = formStrings.variables;
  return [
    ...Object.entries(always).map(([path, title]) => ({ path, title, group: groups.conversation })),
    ...(node?.parent === undefined ? [] : [{ path: "$iteration", title: iteration, group: groups.conversation }]),
    ...named("$form").map((path) => ({ path, title: formStrings.variables.form, group: groups.form })),
    ...named("$flow.state").map((path) => ({ path, title: formStrings.variables.state, group: groups.state })),
    ...stepsBefore(flow, nodeId).flatMap((step) => stepVariables(flow, step)),
    ...flow.variables.map((name) => ({
      path: `$vars.${name}`,
      title: formStrings.variables.variable,
      group: groups.variables,
    })),
  ];
}

const mostSampleCharacters = 200;

/** The value of a step reference in the last run, as text: `agent_0` its answer, `agent_0.output.city` a part. */
export function sampleOf(path: string, runOf: (nodeId: string) => { output: Json } | undefined): string | undefined {
  const [nodeId = "", ...rest] = path.split(".");
  const output = runOf(nodeId)?.output;
  const parts = rest[0] === "output" ? rest.slice(1) : rest.length === 0 && isAnswer(output) ? ["content"] : rest;
  const value = parts.reduce<Json | undefined>((inner, name) => {
    const object = toJsonObject(inner);
    return Object.hasOwn(object, name) ? object[name] : undefined;
  }, output);
  if (value === undefined || value === null) return undefined;
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, mostSampleCharacters);
}

function isAnswer(output: Json | undefined): boolean {
  return typeof toJsonObject(output).content === "string";
}

/** The steps with edges leading to a node, nearest first. Steps inside another come after those before it. */
export function stepsBefore({ nodes, edges }: FlowOutline, nodeId: string): Node[] {
  const found = new Set<string>();
  let next = [nodeId];
  while (next.length > 0) {
    const parents = nodes.flatMap(({ id, parent }) => (parent !== undefined && next.includes(id) ? [parent] : []));
    const targets = new Set([...next, ...parents]);
    const sources = edges.filter(({ target }) => targets.has(target)).map(({ source }) => source);
    next = unique(sources).filter((id) => id !== nodeId && !found.has(id));
    for (const id of next) found.add(id);
  }
  return [...found].flatMap((id) => nodes.find((node) => node.id === id) ?? []);
}

function stepVariables(flow: FlowOutline, { id, label, type, config }: Node): TemplateVariable[] {
  const name = label || id;
  const group = formStrings.variables.groups.steps;
  const fields = namesIn(flow, { id, label, type, config }, "output");
  return [
    { path: id, title: formStrings.variables.answerOf({ step: name }), group },
    ...fields.map((field) => ({
      path: `${id}.output.${field}`,
      title: formStrings.variables.partOf({ field, step: name }),
      group,
    })),
  ];
}

function namesIn({ schemas }: FlowOutline, { type, config }: Node, provided: string): string[] {
  const schema = schemas[type];
  return schema === undefined ? [] : providedNames(toForm(schema), config, provided);
}

function providedNames(field: Field, value: Json | undefined, provided: string): string[] {
  if (value === undefined) return [];
  const own = field.schema.provides === provided ? namesOf(value) : [];
  const object = toJsonObject(value);
  return [...own, ...field.fields.flatMap((inner) => providedNames(inner, object[inner.name], provided))];
}

/** Names of a list's entries, of a JSON Schema's properties, or an object's keys. */
function namesOf(value: Json): string[] {
  if (Array.isArray(value)) {
    return toJsonList(value).flatMap((entry) => {
      const { name, key } = toJsonObject(entry);
      const text = name ?? key;
      return typeof text === "string" && isPathName(text) ? [text] : [];
    });
  }
  const object = toJsonObject(value);
  const isSchema = typeof object.type === "string" && typeof object.properties === "object";
  return Object.keys(isSchema ? toJsonObject(object.properties) : object).filter(isPathName);
}

function isPathName(name: string): boolean {
  return /^[^\s[\].{}]+$/u.test(name);
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
