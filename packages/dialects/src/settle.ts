import { type Finding, type FlowDocument, isJsonObject, type Json, type JsonObject } from "@weft/schema";
import type { ConfigPlace, ImportChoice, ImportedFlow, MadeChoice } from "./imported-flow.ts";
import { keepRefusals } from "./keep-refusals.ts";

/** A flow in which choices were made, and what is wrong or still to be chosen. */
export type SettledFlow = { flow: FlowDocument; findings: Finding[] };

/** Puts what was chosen into the flow. Choices that the flow does not ask for are ignored. */
export function settle({ flow, findings, choices }: ImportedFlow, made: readonly MadeChoice[]): SettledFlow {
  const settled = structuredClone(flow);
  const open: Finding[] = [];
  for (const choice of choices) {
    const chosen = made.find(({ kind, name }) => kind === choice.kind && name === choice.name);
    if (chosen === undefined) open.push(...choice.findings);
    else fillIn(settled, choice.places, (before) => valueFor(choice, before, chosen.value));
  }
  const all = [...findings, ...open];
  return { flow: keepRefusals(settled, all), findings: all };
}

/** Which model answers, as opposed to how. */
const modelReference = new Set(["provider", "model", "baseUrl", "credential"]);

/** Another model keeps the temperature and the like. */
function valueFor({ kind }: ImportChoice, before: Json | undefined, value: Json): Json {
  if (kind !== "model" || !isJsonObject(value)) return value;
  const kept = isJsonObject(before) ? Object.entries(before).filter(([key]) => !modelReference.has(key)) : [];
  return { ...Object.fromEntries(kept), ...value };
}

/** Replaces what stands at places in the config of nodes. A place that does not exist stays as it is. */
export function fillIn(flow: FlowDocument, places: readonly ConfigPlace[], toValue: (before?: Json) => Json): void {
  for (const { nodeId, path } of places) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    const holder = keys.reduce<Json | undefined>(stepInto, flow.nodes.find(({ id }) => id === nodeId)?.config);
    if (Array.isArray(holder)) holder[Number(last)] = toValue(holder[Number(last)]);
    else if (isJsonObject(holder)) defineValue(holder, last, toValue(stepInto(holder, last)));
  }
}

function stepInto(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function defineValue(holder: JsonObject, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}
