import { isDeepStrictEqual } from "node:util";
import { parseFlow } from "@weft/engine";
import type { Finding, Flow, JsonObject, OwnStore } from "@weft/schema";
import { type ConvertedFlow, convertAgentFlowV2 } from "./agentflow-v2/index.ts";
import { convertClassic } from "./flowise-classic/index.ts";
import { convertSequential } from "./flowise-sequential/index.ts";
import { toImportError } from "./import-error.ts";
import { keepRefusals } from "./keep-refusals.ts";
import { inputsOf, toForeignFlow } from "./overridable-flow.ts";
import { recognise } from "./recognise.ts";

/**
 * The native flow that a stored text means, whatever dialect it is in, and what is wrong or worth knowing about it.
 * Never throws and executes nothing.
 */
export function readFlow(text: string): { flow: Flow; findings: Finding[]; stores?: readonly OwnStore[] } {
  const recognised = recognise(text);
  switch (recognised.dialect) {
    case "agentflow-v2":
      return withRefusals(convertAgentFlowV2(recognised.document));
    case "classic":
      return withRefusals(
        recognised.kind === "chatflow" ? convertClassic(recognised.document) : convertSequential(recognised.document),
      );
    case "workspace": {
      const count = recognised.flows.length;
      const flows = count === 1 ? "one flow. Import that flow" : `${count} flows. Import its flows one by one`;
      const message = `This is the export of a workspace, with ${flows}, or import the whole file under Settings → Move from Flowise.`;
      return { flow: { nodes: [], edges: [] }, findings: [toImportError("flow-workspace", message)] };
    }
    case "native":
    case "unknown":
      return parseFlow(text);
  }
}

/** The document stores that a stored text describes in place of naming them. Never throws and executes nothing. */
export function ownStoresOf(text: string): readonly OwnStore[] {
  return readFlow(text).stores ?? [];
}

/** What own stores of a flow become when inputs of its components are replaced. */
export type OverriddenStores = {
  stores: readonly OwnStore[];
  /** Names of inputs that no component has. */
  unknown: string[];
  /** Names of inputs that have no effect on the stores. */
  idle: string[];
};

/** Replaces inputs as callers of the text's dialect do. Undefined for a text that is native. */
export function overrideOwnStores(text: string, overrides: JsonObject): OverriddenStores | undefined {
  const foreign = toForeignFlow(text);
  if (foreign === undefined) return undefined;
  const inputs = inputsOf(foreign.document);
  const result: OverriddenStores = { stores: foreign.convert(foreign.document).stores ?? [], unknown: [], idle: [] };
  let document = foreign.document;
  for (const [name, value] of Object.entries(overrides)) {
    const labels = inputs.filter(({ names }) => names.has(name)).map(({ label }) => label);
    if (labels.length === 0) result.unknown.push(name);
    const replaced = foreign.override(document, { name, value, labels }) ?? document;
    if (labels.length === 0 || isDeepStrictEqual(replaced, document)) continue;
    const stores = foreign.convert(replaced).stores ?? [];
    if (isDeepStrictEqual(stores, result.stores)) result.idle.push(name);
    Object.assign(result, { stores });
    document = replaced;
  }
  return result;
}

/** A converted flow is stored together with what could not be converted. */
function withRefusals({ flow, findings, ...others }: ConvertedFlow): ConvertedFlow {
  return { flow: keepRefusals(flow, findings), findings, ...others };
}
