import type { NodeType } from "@weft/client";
import type { FlowNode, Json, JsonSchema } from "@weft/schema";
import { canvasStrings } from "../../strings/canvas.ts";
import type { FlowModel } from "./flow-model.ts";
import { defaultsOf } from "./node-catalogue.ts";

type FieldSchema = { title?: string; widget?: string; properties?: Record<string, FieldSchema> };

/** A one-line summary of a node's settings: the non-empty fields that its type's outline lists. */
export function outlineOf(node: FlowNode, type: NodeType, nodes: FlowModel["nodes"]): string {
  const config = { ...defaultsOf(type), ...node.config } as Json;
  return type.outline
    .map((path) => describe(valueAt(config, path), schemaAt(type.config, path), nodes))
    .filter((text) => text !== "")
    .join(" · ");
}

function describe(value: Json | undefined, schema: FieldSchema, nodes: FlowModel["nodes"]): string {
  if (typeof value === "string") {
    if (schema.widget === "node") return nodes.get(value)?.label || value;
    return value.replaceAll(/\s+/g, " ").trim().slice(0, 120);
  }
  const title = schema.title ?? "";
  if (Array.isArray(value)) return value.length === 0 ? "" : canvasStrings.outline.count(value.length, title);
  if (typeof value === "number") return canvasStrings.outline.number(title, value);
  return value === true ? title : "";
}

function valueAt(value: Json | undefined, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((inner, key) => {
    return typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner[key] : undefined;
  }, value);
}

function schemaAt(schema: JsonSchema, path: string): FieldSchema {
  return path.split(".").reduce<FieldSchema>((inner, key) => inner.properties?.[key] ?? {}, schema as FieldSchema);
}
