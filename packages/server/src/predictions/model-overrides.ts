import type { CompiledFlow, GraphNode } from "@weft/engine";
import type { Json, JsonObject } from "@weft/schema";
import { z } from "zod";
import type { OverridePermissions } from "./override-permissions.ts";

/** Parameters that a caller may give to the models of a run. */
export const modelParameters = z.object({
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.number().int().min(1).max(1_000_000).optional(),
  topP: z.number().min(0).max(1).optional(),
});
export type ModelParameter = keyof z.infer<typeof modelParameters>;

const names = Object.keys(modelParameters.shape) as ModelParameter[];

/** The most that callers other than the authors may ask for, where the node itself says nothing. */
const ceilingsOfUnset: Readonly<Record<ModelParameter, number>> = { temperature: 1, maxTokens: 4_096, topP: 1 };

export function isModelParameter(name: string): name is ModelParameter {
  return Object.hasOwn(modelParameters.shape, name);
}

/** Nodes with a model whose parameter the caller may change. */
export function modelsThatAllow(
  { graph }: CompiledFlow,
  name: ModelParameter,
  permissions: OverridePermissions,
): GraphNode[] {
  return [...graph.nodes.values()].filter((node) => hasModel(node) && permissions.allows(node.label, name));
}

/** The overrides with each model parameter at most the owner's, and the names of those that were lowered. */
export function withCeilings(
  { graph }: CompiledFlow,
  nodeConfig: Readonly<Record<string, JsonObject>>,
): { nodeConfig: Record<string, JsonObject>; lowered: ModelParameter[] } {
  const lowered = new Set<ModelParameter>();
  const capped = Object.entries(nodeConfig).map(([id, { model, ...config }]): [string, JsonObject] => {
    if (model === undefined) return [id, config];
    const owner = toObject(graph.nodes.get(id)?.config.model as Json | undefined);
    const wanted = { ...toObject(model) };
    for (const name of names) {
      const value = wanted[name];
      const ceiling = typeof owner[name] === "number" ? owner[name] : ceilingsOfUnset[name];
      if (typeof value !== "number" || value <= ceiling) continue;
      wanted[name] = ceiling;
      lowered.add(name);
    }
    return [id, { ...config, model: wanted }];
  });
  return { nodeConfig: Object.fromEntries(capped), lowered: [...lowered] };
}

function hasModel({ type }: GraphNode): boolean {
  return "shape" in type.config && Object.hasOwn(type.config.shape as object, "model");
}

function toObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
