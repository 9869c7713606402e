import type { Finding, Flow, Json, JsonObject, JsonSchema } from "@weft/schema";
import { z } from "zod";
import { parseTemplate, templateRoots } from "../template/index.ts";
import type { Graph, GraphNode } from "./graph.ts";

/** Finds references that can never have a value: unknown roots, unknown nodes, or unknown parts of a node. */
export function checkTemplates(flow: Flow, nodes: ReadonlyMap<string, GraphNode>): Finding[] {
  const known = new Set<string>([...templateRoots, ...flow.nodes.map((node) => node.id)]);
  return flow.nodes.flatMap((node) => {
    const compiled = nodes.get(node.id);
    if (!compiled) return [];
    const texts = templatedTexts(node.config, formSchemaOf(compiled.type), []);
    return texts.flatMap((text) => unknownReferences(text, known).map(toFinding(compiled, text.path.join("."))));
  });
}

/**
 * Finds platform variables that do not exist. A caller may send them; otherwise they are empty. `isAssumed` tells
 * whether a variable that `names` does not list is taken to exist.
 */
export function checkVariables(
  { flow, graph }: { flow: Flow; graph: Graph },
  names: readonly string[],
  isAssumed: (name: string) => boolean = () => false,
): Finding[] {
  const known = new Set(names);
  return flow.nodes.flatMap((node) => {
    const compiled = graph.nodes.get(node.id);
    if (!compiled) return [];
    return templatedTexts(node.config, formSchemaOf(compiled.type), []).flatMap(({ path, text }) =>
      variablesIn(text)
        .filter((name) => !known.has(name) && !isAssumed(name))
        .map((name) => toUnknownVariable(compiled, path.join("."), name)),
    );
  });
}

function variablesIn(text: string): string[] {
  return parseTemplate(text).flatMap((part) => {
    if (part.kind === "text") return [];
    const [root, name] = part.path;
    return root === "$vars" && name !== undefined ? [name] : [];
  });
}

function toUnknownVariable({ id, label }: GraphNode, path: string, name: string): Finding {
  const message = `Node "${label}": variable “${name}” doesn’t exist, so ${path} is empty there unless a caller sends it. Create it, or correct its name.`;
  return { level: "warning", code: "variable-unknown", nodeId: id, path, message };
}

/** A node's own output is available only in its state updates. */
function unknownReferences({ path, text }: TemplatedText, known: ReadonlySet<string>): string[] {
  return parseTemplate(text).flatMap((part) => {
    if (part.kind === "text") return [];
    const [name = ""] = part.path;
    return known.has(name) || (name === "output" && path[0] === "updateState") ? [] : [part.source];
  });
}

function toFinding({ id, label }: GraphNode, path: string): (source: string) => Finding {
  return (source) => ({
    level: "error",
    code: "template-unknown",
    nodeId: id,
    path,
    message: `Node "${label}": ${source} in ${path} refers to nothing in this flow.`,
  });
}

type FormSchema = {
  properties?: Record<string, FormSchema>;
  items?: FormSchema;
  anyOf?: FormSchema[];
  oneOf?: FormSchema[];
  const?: Json;
  template?: boolean;
};
type TemplatedText = { path: string[]; text: string };

/** A node type, an integration, or anything else that a form configures. */
type Configurable = { readonly config: z.ZodType };

const formSchemas = new WeakMap<z.ZodType, JsonSchema>();

/** JSON Schema of the config of a node type or an integration, with the form hints of its fields. */
export function formSchemaOf({ config }: Configurable): JsonSchema {
  const cached = formSchemas.get(config);
  if (cached) return cached;
  const schema = z.toJSONSchema(config, { unrepresentable: "any", io: "input", reused: "inline" }) as JsonSchema;
  formSchemas.set(config, schema);
  return schema;
}

function templatedTexts(value: Json | undefined, schema: FormSchema, path: string[]): TemplatedText[] {
  if (typeof value === "string") return schema.template ? [{ path, text: value }] : [];
  if (value === null || typeof value !== "object") return [];
  const branches = [
    schema,
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((branch) => fits(branch, value)),
  ];
  return branches.flatMap((branch) => {
    if (Array.isArray(value)) {
      return value.flatMap((item, index) => templatedTexts(item, branch.items ?? {}, [...path, String(index)]));
    }
    return Object.entries(value).flatMap(([key, item]) => {
      const property = branch.properties?.[key];
      return property ? templatedTexts(item, property, [...path, key]) : [];
    });
  });
}

/** Whether a value matches this variant, when a constant such as `type` tells the variants apart. */
function fits(schema: FormSchema, value: Json[] | JsonObject): boolean {
  if (Array.isArray(value)) return true;
  return Object.entries(schema.properties ?? {}).every(
    ([key, property]) => property.const === undefined || property.const === value[key],
  );
}
