import { isDeepStrictEqual } from "node:util";
import { type ConvertedFlow, convertAgentFlowV2, overrideInput, recognise } from "@weft/dialects";
import type { CompiledFlow } from "@weft/engine";
import { type Flow, type Json, type JsonObject, WeftError } from "@weft/schema";
import { type OverridePermissions, readOverridePermissions } from "./override-permissions.ts";

export type Warning = { code: string; message: string };

/** `flowData` is the text that `flow` was compiled from. */
export type OverridableAgent = { flow: CompiledFlow; flowData: string; apiConfig: string };

/** Settings of nodes for one run, by the nodes' ids, and what of the request did not apply. */
export type NodeOverrides = { nodeConfig: Record<string, JsonObject>; warnings: Warning[] };

type Overrides = readonly (readonly [name: string, value: Json])[];

/** Settings that no caller may change, at any depth: what a node calls or runs, and with whose secret. */
const neverOverridable = new Set([
  "credential",
  "baseUrl",
  "url",
  "tools",
  "tool",
  "agentId",
  "knowledge",
  "stores",
  "code",
  "chatId",
]);

/**
 * Reads which settings of nodes a caller wants otherwise. They have the names of the dialect that the flow is kept in, and
 * apply to the nodes for which the agent's `apiConfig` allows them.
 * Throws `validation-failed` when a setting of another dialect has a value that means nothing here.
 */
export function readNodeOverrides(
  { flow, flowData, apiConfig }: OverridableAgent,
  overrides: Overrides,
): NodeOverrides {
  if (overrides.length === 0) return { nodeConfig: {}, warnings: [] };
  const permissions = readOverridePermissions(apiConfig);
  const recognised = recognise(flowData);
  if (recognised.dialect !== "agentflow-v2") return overrideNative(flow.flow, overrides, permissions);
  return overrideForeign(recognised.document, overrides, permissions);
}

function overrideNative(flow: Flow, overrides: Overrides, permissions: OverridePermissions): NodeOverrides {
  const result: NodeOverrides = { nodeConfig: {}, warnings: [] };
  for (const [name, value] of overrides) {
    const labels = namesProtected({ [name]: value }) ? [] : permissions.labelsThatAllow(name);
    const nodes = flow.nodes.filter(({ label }) => labels.includes(label));
    for (const { id } of nodes) result.nodeConfig[id] = { ...result.nodeConfig[id], [name]: value };
    if (nodes.length === 0) result.warnings.push(ignored(name));
  }
  return result;
}

/** What the flow's text would mean with the caller's inputs, as far as that differs. */
function overrideForeign(stored: JsonObject, overrides: Overrides, permissions: OverridePermissions): NodeOverrides {
  const result: NodeOverrides = { nodeConfig: {}, warnings: [] };
  let document = stored;
  let before = convertAgentFlowV2(stored);
  for (const [name, value] of overrides) {
    const changed = overrideInput(document, { name, value, labels: permissions.labelsThatAllow(name) });
    const after = convertAgentFlowV2(changed);
    const differences = findDifferences(before.flow, after.flow);
    if (differences.length === 0 || differences.some(({ isProtected }) => isProtected)) {
      result.warnings.push(ignored(name));
      continue;
    }
    result.warnings.push(...newFindings(before, after, name));
    for (const { id, config } of differences) result.nodeConfig[id] = { ...result.nodeConfig[id], ...config };
    document = changed;
    before = after;
  }
  return result;
}

/** What is said of the flow since a caller's input is in it. Throws `validation-failed` when it could not run so. */
function newFindings(before: ConvertedFlow, after: ConvertedFlow, name: string): Warning[] {
  const known = new Set(before.findings.map(({ message }) => message));
  const found = after.findings.filter(({ message }) => !known.has(message));
  const wrong = found.find(({ level }) => level === "error");
  if (wrong === undefined) {
    return found.map(({ code, message }) => ({ code, message: `overrideConfig.${name}: ${message}` }));
  }
  throw new WeftError("validation-failed", { params: { reason: `overrideConfig.${name}: ${wrong.message}` } });
}

/** Nodes whose settings differ, with those settings. */
function findDifferences(before: Flow, after: Flow): { id: string; config: JsonObject; isProtected: boolean }[] {
  const stored = new Map(before.nodes.map(({ id, config }) => [id, config]));
  return after.nodes.flatMap(({ id, config: wanted }) => {
    const config = stored.get(id) ?? {};
    const changed = Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(value, config[name]));
    if (changed.length === 0) return [];
    return [{ id, config: Object.fromEntries(changed), isProtected: changesProtected(config, wanted) }];
  });
}

function changesProtected(before: Json | undefined, after: Json | undefined): boolean {
  if (isDeepStrictEqual(before, after)) return false;
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => changesProtected(before[index], after[index])).some(Boolean);
  }
  if (!isObject(before) || !isObject(after)) return namesProtected(before ?? null) || namesProtected(after ?? null);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].some((name) =>
    neverOverridable.has(name)
      ? !isDeepStrictEqual(before[name], after[name])
      : changesProtected(before[name], after[name]),
  );
}

/** Whether a value holds a setting that no caller may change. */
function namesProtected(value: Json): boolean {
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.some(namesProtected);
  return Object.entries(value).some(([name, inner]) => neverOverridable.has(name) || namesProtected(inner));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ignored(name: string): Warning {
  return {
    code: "override-ignored",
    message: `overrideConfig.${name} was ignored: this agent's settings do not allow it to be overridden.`,
  };
}
