import { isJsonObject, type Json, type JsonObject, toJsonList, toJsonObject } from "@weft/schema";
import { type ConvertedFlow, convertAgentFlowV2, type InputOverride, overrideInput } from "./agentflow-v2/index.ts";
import { convertClassic } from "./flowise-classic/index.ts";
import { convertSequential } from "./flowise-sequential/index.ts";
import { recognise } from "./recognise.ts";

/** A flow whose callers replace inputs of its nodes by the names of its own dialect. */
export type ForeignFlow = {
  readonly document: JsonObject;
  convert(document: JsonObject): ConvertedFlow;
  /** Whether `temperature`, `maxTokens` and `topP` are inputs of its components, with one value for each. */
  readonly hasModelInputs: boolean;
  /** The document with an input replaced; undefined where the value replaces nothing. */
  override(document: JsonObject, override: InputOverride): JsonObject | undefined;
};

/** The flow that a text holds, if callers know its inputs by names that are not native. */
export function toForeignFlow(text: string): ForeignFlow | undefined {
  const recognised = recognise(text);
  if (recognised.dialect === "agentflow-v2") {
    const { document } = recognised;
    return { document, convert: convertAgentFlowV2, hasModelInputs: false, override: overrideInput };
  }
  if (recognised.dialect !== "classic") return undefined;
  return {
    document: recognised.document,
    convert: recognised.kind === "chatflow" ? convertClassic : convertSequential,
    hasModelInputs: true,
    override: (document, override) => (isFalsy(override.value) ? undefined : overrideInput(document, override)),
  };
}

/** The labels of a foreign flow's nodes, with the names of their inputs. */
export function inputsOf({ nodes }: JsonObject): { label: string; names: ReadonlySet<string> }[] {
  return toJsonList(nodes).flatMap((node) => {
    const data = toJsonObject(toJsonObject(node).data);
    if (typeof data.label !== "string") return [];
    const params = toJsonList(data.inputParams).map((entry) => isJsonObject(entry) && entry.name);
    const names = new Set([...Object.keys(toJsonObject(data.inputs)), ...params.map(String)]);
    return [{ label: data.label, names }];
  });
}

/** In classic flows no empty text, 0 or `false` ever replaced an input. */
function isFalsy(value: Json): boolean {
  return value === null || value === "" || value === 0 || value === false;
}
