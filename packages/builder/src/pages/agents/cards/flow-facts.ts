import type { DefaultModel, NodeType } from "@weft/client";

/** The types of a stored flow's nodes, in its order. Empty for flows of other formats. */
export function stepTypesOf(flowData: string): string[] {
  return nodesOf(flowData).map(({ type }) => type);
}

export type UsedModel = {
  provider: string /** Empty: the provider's own default. */;
  model: string;
  isDefault: boolean;
};

/**
 * The first model that a stored flow names, or else the default one where a step asks it. Undefined where no model is
 * asked, and for flows of other formats.
 */
export function modelOf(
  flowData: string,
  types: readonly Pick<NodeType, "type" | "config">[],
  byDefault: Pick<DefaultModel, "provider" | "model">,
): UsedModel | undefined {
  const nodes = nodesOf(flowData);
  for (const { model: settings } of nodes) {
    const provider = textOf(settings.provider);
    const model = textOf(settings.model);
    if (provider !== "") return { provider, model, isDefault: false };
    if (model !== "") return { provider: byDefault.provider, model, isDefault: false };
  }
  const asking = new Set(types.filter(({ config }) => alwaysAsks(config)).map(({ type }) => type));
  if (!nodes.some(({ type }) => asking.has(type))) return undefined;
  return { provider: byDefault.provider, model: byDefault.model, isDefault: true };
}

/** Whether steps of a type have a model whatever else they are set to. */
function alwaysAsks({ properties }: NodeType["config"]): boolean {
  const model = toObject(properties).model;
  return isObject(model) && model.showWhen === undefined;
}

function nodesOf(flowData: string): { type: string; model: Record<string, unknown> }[] {
  const { weft, nodes } = toObject(parse(flowData));
  if (weft === undefined || !Array.isArray(nodes)) return [];
  return nodes.filter(isObject).map(({ type, config }) => ({
    type: textOf(type),
    model: toObject(toObject(config).model),
  }));
}

// The schemas' package would bring zod, which this page does not need otherwise.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
