import type { Finding, Flow, Json, JsonSchema } from "@weft/schema";
import { z } from "zod";
import type { NodeType } from "../node-type.ts";
import { parseTemplate } from "../template/parse-template.ts";
import { templateRoots } from "../template/template-scope.ts";
import type { GraphNode } from "./graph.ts";

/** Field hint that a config's text may hold `{{ … }}`. */
export const templated = { template: true } as const;

/** Finds references that can never have a value: to names that are no root, no node of the flow and no part of one. */
export function checkTemplates(flow: Flow, nodes: ReadonlyMap<string, GraphNode>): Finding[] {
  const known = new Set<string>([...templateRoots, ...flow.nodes.map((node) => node.id)]);
  const findings: Finding[] = [];
  for (const node of flow.nodes) {
    const compiled = nodes.get(node.id);
    if (!compiled) continue;
    for (const { path, text } of templatedTexts(node.config, formSchemaOf(compiled.type) as FormSchema, [])) {
      for (const part of parseTemplate(text)) {
        if (part.kind === "text" || known.has(part.path[0] ?? "")) continue;
        findings.push({
          level: "error",
          code: "template-unknown",
          nodeId: node.id,
          path: path.join("."),
          message: `Node "${compiled.label}": ${part.source} in ${path.join(".")} refers to nothing in this flow.`,
        });
      }
    }
  }
  return findings;
}

type FormSchema = {
  properties?: Record<string, FormSchema>;
  items?: FormSchema;
  anyOf?: FormSchema[];
  template?: boolean;
};
type TemplatedText = { path: string[]; text: string };

const formSchemas = new WeakMap<NodeType, JsonSchema>();

/** JSON Schema of a node type's config, with the form hints of its fields. */
export function formSchemaOf(type: NodeType): JsonSchema {
  const cached = formSchemas.get(type);
  if (cached) return cached;
  const schema = z.toJSONSchema(type.config, { unrepresentable: "any", io: "input", reused: "inline" }) as JsonSchema;
  formSchemas.set(type, schema);
  return schema;
}

function templatedTexts(value: Json | undefined, schema: FormSchema, path: string[]): TemplatedText[] {
  if (typeof value === "string") return schema.template ? [{ path, text: value }] : [];
  if (value === null || typeof value !== "object") return [];
  const branches = [schema, ...(schema.anyOf ?? [])];
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
