import type { NodeUses, RunInfo } from "@weft/engine/node";
import type { ModelParameters, ModelReference } from "@weft/engine/ports/chat-model";
import { modelParameterFields, modelParameterNames, modelReferenceFields } from "@weft/schema";
import { z } from "zod";

/** Which model answers, and how. Empty fields mean the operator's default. */
export const modelSettings = z
  .strictObject({ ...modelReferenceFields, ...modelParameterFields })
  .meta({ title: "Model", widget: "model-settings" });
export type ModelSettings = z.infer<typeof modelSettings>;

export function toModelReference({ provider, model, baseUrl, credential }: ModelSettings): ModelReference {
  return { provider, model, baseUrl, credential };
}

/** For `uses` of a node that has these settings as `model`. */
export function usesModel(settings: ModelSettings): Pick<NodeUses, "models"> {
  return { models: [{ path: "model", reference: toModelReference(settings), parameters: ownParameters(settings) }] };
}

/** The node's parameters, overridden by the run's caller. */
export function toModelParameters(settings: ModelSettings, run: RunInfo): ModelParameters {
  return { ...ownParameters(settings), ...run.input.modelParameters };
}

export function ownParameters(settings: ModelSettings): ModelParameters {
  const given = modelParameterNames.filter((name) => settings[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, settings[name]]));
}
