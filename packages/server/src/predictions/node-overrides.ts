import { isDeepStrictEqual } from "node:util";
import { type ConvertedFlow, type ForeignFlow, inputsOf, toForeignFlow } from "@weft/dialects";
import { type CompiledFlow, type GraphNode, referencesOf } from "@weft/engine";
import { type Flow, isJsonObject, type Json, type JsonObject, type ReferenceKind, WeftError } from "@weft/schema";
import { findComponent } from "../references/index.ts";
import type { OverridePermissions } from "./override-permissions.ts";

export type Warning = { code: string; message: string };

/** `flowData` is the text that `flow` was compiled from. */
export type OverridableAgent = { flow: CompiledFlow; flowData: string; apiConfig: string };

/** Node settings for one run, by node id, and the parts of the request that did not apply. */
export type NodeOverrides = { nodeConfig: Record<string, JsonObject>; ignored: string[]; warnings: Warning[] };

type Overrides = readonly (readonly [name: string, value: Json])[];

/** Kinds of references that no caller may override, as their schema declares. */
const ofNobody: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>(["credential", "address", "file", "mcp-server"]);
/** By name, at any depth, if no schema tells what a setting is, as in headers and flows of other programs. */
const addressOrSecret = /credential|secret|url|host|server|link|address|endpoint|header|openApiFile|yamlFile|^chatId$/i;
/** Settings that only authors may override: what a node calls, reads or runs, and settings without effect. */
const ofAuthors = new Set(["tools", "tool", "agentId", "knowledge", "stores", "storeId", "code", "readOnly"]);

/**
 * Reads the node settings that a caller overrides. They are named as in the dialect of the stored flow, and apply to
 * the nodes for which the caller may change them.
 * Throws `validation-failed` for a setting that a node does not have, or whose value is meaningless to it.
 */
export function readNodeOverrides(
  { flow, flowData }: OverridableAgent,
  overrides: Overrides,
  permissions: OverridePermissions,
): NodeOverrides {
  if (overrides.length === 0) return { nodeConfig: {}, ignored: [], warnings: [] };
  const foreign = toForeignFlow(flowData);
  if (foreign === undefined) return overrideNative(flow, overrides, permissions);
  return overrideForeign({ foreign, graph: flow.graph }, overrides, permissions);
}

function overrideNative({ graph }: CompiledFlow, overrides: Overrides, permissions: OverridePermissions) {
  const { isAuthor } = permissions;
  const result: NodeOverrides = { nodeConfig: {}, ignored: [], warnings: [] };
  for (const [name, value] of overrides) {
    const isAllowed = (node: GraphNode) => permissions.allows(node.label, name) && !namesOther(node, { [name]: value });
    const allowed = namesProtected({ [name]: value }, isAuthor) ? [] : [...graph.nodes.values()].filter(isAllowed);
    const nodes = allowed.filter((node) => hasSetting(node, name));
    for (const { id } of nodes) result.nodeConfig[id] = { ...result.nodeConfig[id], [name]: value };
    const [unfit] = allowed;
    if (nodes.length > 0) continue;
    if (unfit !== undefined && !isAuthor) throw invalid(name, `${unfit.label} has no setting of this name.`);
    result.ignored.push(name);
  }
  return result;
}

/** Whether settings name a credential, an address or the like that the node does not already name. */
function namesOther({ type, config }: GraphNode, settings: JsonObject): boolean {
  const namedBy = (of: Json) =>
    referencesOf(of, { schema: type.config }, findComponent).filter(({ kind }) => ofNobody.has(kind));
  const known = new Set(namedBy(config as JsonObject).map(({ kind, id }) => `${kind} ${id}`));
  return namedBy(settings).some(({ kind, id }) => !known.has(`${kind} ${id}`));
}

function hasSetting({ type }: GraphNode, name: string): boolean {
  return "shape" in type.config && Object.hasOwn(type.config.shape as object, name);
}

/** The differences that the caller's inputs make to the conversion of the flow's text. */
function overrideForeign(
  { foreign: { document: stored, convert, override }, graph }: { foreign: ForeignFlow; graph: CompiledFlow["graph"] },
  overrides: Overrides,
  permissions: OverridePermissions,
): NodeOverrides {
  const { isAuthor } = permissions;
  const result: NodeOverrides = { nodeConfig: {}, ignored: [], warnings: [] };
  const inputs = inputsOf(stored);
  let document = stored;
  let before: ConvertedFlow | undefined;
  for (const [name, value] of overrides) {
    const allowed = inputs.filter(({ label }) => permissions.allows(label, name));
    // An author may override every existing input; other names in the request do not count.
    const labels = allowed.filter(({ names }) => !isAuthor || names.has(name)).map(({ label }) => label);
    const changed = labels.length === 0 ? undefined : override(document, { name, value, labels });
    before ??= convert(document);
    const after = changed === undefined ? before : convert(changed);
    const differences = findDifferences(before.flow, after.flow, isAuthor);
    const isProtected = differences.some((difference) => {
      const node = graph.nodes.get(difference.id);
      return difference.isProtected || (node !== undefined && namesOther(node, difference.config));
    });
    if (changed === undefined || isProtected) {
      result.ignored.push(name);
      continue;
    }
    result.warnings.push(...newFindings(before, after, name));
    if (differences.length === 0 && !isDeepStrictEqual(changed, document)) {
      throw invalid(name, "this value is not supported here. Use a setting of the node and a valid value.");
    }
    for (const { id, config } of differences) result.nodeConfig[id] = { ...result.nodeConfig[id], ...config };
    document = changed;
    before = after;
  }
  return result;
}

/** New findings caused by a caller's input. Throws `validation-failed` if the flow could no longer run. */
function newFindings(before: ConvertedFlow, after: ConvertedFlow, name: string): Warning[] {
  const known = new Set(before.findings.map(({ message }) => message));
  const found = after.findings.filter(({ message }) => !known.has(message));
  const wrong = found.find(({ level }) => level === "error");
  if (wrong === undefined) {
    return found.map(({ code, message }) => ({ code, message: `overrideConfig.${name}: ${message}` }));
  }
  throw invalid(name, wrong.message);
}

/** Nodes whose settings differ, with those settings. */
function findDifferences(
  before: Flow,
  after: Flow,
  isAuthor: boolean,
): { id: string; config: JsonObject; isProtected: boolean }[] {
  const stored = new Map(before.nodes.map(({ id, config }) => [id, config]));
  return after.nodes.flatMap(({ id, config: wanted }) => {
    const config = stored.get(id) ?? {};
    const changed = Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(value, config[name]));
    if (changed.length === 0) return [];
    return [{ id, config: Object.fromEntries(changed), isProtected: changesProtected(config, wanted, isAuthor) }];
  });
}

function changesProtected(before: Json | undefined, after: Json | undefined, isAuthor: boolean): boolean {
  if (isDeepStrictEqual(before, after)) return false;
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => changesProtected(before[index], after[index], isAuthor)).some(Boolean);
  }
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return namesProtected(before ?? null, isAuthor) || namesProtected(after ?? null, isAuthor);
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].some((name) =>
    isProtectedName(name, isAuthor)
      ? !isDeepStrictEqual(before[name], after[name])
      : changesProtected(before[name], after[name], isAuthor),
  );
}

/** Whether a value holds a setting that the caller may not change. */
function namesProtected(value: Json, isAuthor: boolean): boolean {
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.some((inner) => namesProtected(inner, isAuthor));
  return Object.entries(value).some(
    ([name, inner]) => isProtectedName(name, isAuthor) || namesProtected(inner, isAuthor),
  );
}

function isProtectedName(name: string, isAuthor: boolean): boolean {
  return addressOrSecret.test(name) || (!isAuthor && ofAuthors.has(name));
}

function invalid(name: string, reason: string): WeftError {
  const path = `overrideConfig.${name.slice(0, 100)}`;
  return new WeftError("validation-failed", {
    params: { reason: `${path}: ${reason}` },
    errors: [{ path, message: reason }],
  });
}
