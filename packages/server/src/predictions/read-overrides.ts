import { toForeignFlow } from "@weft/dialects";
import type { CompiledFlow, GraphNode } from "@weft/engine";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonSchema,
  modelParametersSchema,
  type RunInput,
  reasoningLevels,
  toJsonObject,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import { type OverridableAgent, readNodeOverrides, type Warning } from "./node-overrides.ts";
import type { OverridePermissions } from "./override-permissions.ts";

/** Open to every caller: it names the caller's own session. */
const sessionSchema = z.object({ sessionId: z.string().min(1).max(200).optional() });
const varsSchema = z.record(z.string(), jsonSchema);

/** The applicable parts of `overrideConfig`. */
export type ReadOverrides = {
  sessionId: string | undefined;
  input: RunInput;
  /** Paths that did not apply. */
  ignored: string[];
  warnings: Warning[];
};

/**
 * Reads `overrideConfig`: `sessionId`, model parameters, `vars` name by name, and node settings, each as far as the
 * caller may change it. Throws `validation-failed` for applicable values that do not fit.
 */
export function readOverrides(
  given: JsonObject,
  agent: OverridableAgent,
  permissions: OverridePermissions,
): ReadOverrides {
  const { sessionId } = parseOverrides(sessionSchema, { sessionId: given.sessionId });
  const names = Object.keys(given).filter(isModelParameter);
  const areInputs = names.length > 0 && (toForeignFlow(agent.flowData)?.hasModelInputs ?? false);
  const parameters = readModelParameters(given, { flow: agent.flow, names: areInputs ? [] : names }, permissions);
  const variables = readVariables(given.vars, permissions);
  const others = Object.entries(given).filter(
    ([name]) => name !== "sessionId" && name !== "vars" && (areInputs || !isModelParameter(name)),
  );
  const { nodeConfig, ...rest } = readNodeOverrides(agent, others, permissions);
  for (const [id, model] of parameters.byNode) {
    nodeConfig[id] = layOver(nodeConfig[id] ?? {}, { model });
  }
  const capped = permissions.isAuthor ? { nodeConfig, lowered: [] } : withCeilings(agent.flow, nodeConfig);
  const input: ReadOverrides["input"] = { ...parameters.ofAll, ...variables.given };
  if (Object.keys(capped.nodeConfig).length > 0) input.nodeConfig = capped.nodeConfig;
  const ignored = [...parameters.ignored, ...variables.ignored, ...rest.ignored].map(
    (name) => `overrideConfig.${name}`,
  );
  const { lowered } = capped;
  const warnings = lowered.length === 0 ? rest.warnings : [...rest.warnings, loweredWarning(lowered)];
  return { sessionId, input, ignored, warnings };
}

/** An author's parameters apply to every model of the run; others' to the models that are enabled for them. */
function readModelParameters(
  given: JsonObject,
  { flow, names }: Pick<OverridableAgent, "flow"> & { names: readonly ModelParameter[] },
  permissions: OverridePermissions,
) {
  const { isAuthor } = permissions;
  const targets = names.map((name) => ({ name, nodes: isAuthor ? [] : modelsThatAllow(flow, name, permissions) }));
  const applied = targets.filter(({ nodes }) => isAuthor || nodes.length > 0);
  const wanted = Object.fromEntries(applied.map(({ name }) => [name, given[name]]));
  const values = parseOverrides(modelParameters, wanted);
  const byNode = new Map<string, JsonObject>();
  for (const { name, nodes } of applied) {
    for (const { id } of nodes) byNode.set(id, { ...byNode.get(id), [name]: values[name] ?? null });
  }
  const ignored: string[] = names.filter((name) => !Object.hasOwn(wanted, name));
  const ofAll = isAuthor && names.length > 0 ? { modelParameters: toDefined(values) } : {};
  return { byNode, ofAll, ignored };
}

function toDefined(values: z.infer<typeof modelParameters>): NonNullable<RunInput["modelParameters"]> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function readVariables(given: Json | undefined, { isAuthor, allowsVariable }: OverridePermissions) {
  if (given === undefined) return { given: {}, ignored: [] };
  if (!isJsonObject(given)) {
    if (isAuthor) parseOverrides(z.object({ vars: varsSchema }), { vars: given });
    return { given: {}, ignored: ["vars"] };
  }
  const entries = Object.entries(given);
  const vars = Object.fromEntries(entries.filter(([name]) => allowsVariable(name)));
  const ignored = entries.flatMap(([name]) => (allowsVariable(name) ? [] : [`vars.${name}`]));
  return { given: Object.keys(vars).length > 0 ? { vars } : {}, ignored };
}

const namedInWarning = 10;

/**
 * Lists the parts of a request that did not apply. Names are the caller's, and truncated: an answer does not repeat a
 * request.
 */
export function ignoredWarning(paths: readonly string[]): Warning {
  const named = paths.slice(0, namedInWarning).map((path) => (path.length > 80 ? `${path.slice(0, 80)}…` : path));
  const rest = paths.length > namedInWarning ? ` and ${paths.length - namedInWarning} more` : "";
  const list = `${named.join(", ")}${rest}`;
  return {
    code: "override-ignored",
    message: `Ignored, because this agent's settings do not allow callers to override them: ${list}. Anyone who can edit the agent can enable them in its settings.`,
  };
}

function loweredWarning(names: readonly string[]): Warning {
  return {
    code: "override-limited",
    message: `Lowered to the agent's own value, which is the most that callers may ask for: ${names.join(", ")}.`,
  };
}

function parseOverrides<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const errors = issues.map(({ path, message }) => ({ path: ["overrideConfig", ...path].join("."), message }));
  const reason = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  throw new WeftError("validation-failed", { params: { reason }, errors });
}

/** Objects are merged, so that absent fields stay: an overridden model keeps its address and credential. */
export function layOver(config: JsonObject, overrides: JsonObject): JsonObject {
  const merged = Object.entries(overrides).map(([name, value]) => {
    const stored = config[name];
    return [name, isJsonObject(stored) && isJsonObject(value) ? layOver(stored, value) : value] as const;
  });
  return { ...config, ...Object.fromEntries(merged) };
}

/** Parameters that a caller may give to the models of a run. */
const modelParameters = modelParametersSchema
  .pick({
    temperature: true,
    topP: true,
    frequencyPenalty: true,
    presencePenalty: true,
    seed: true,
    reasoning: true,
    thinkingTokens: true,
  })
  .extend({ maxTokens: z.number().int().min(1).max(1_000_000).optional() });
type ModelParameter = keyof z.infer<typeof modelParameters>;

const names = Object.keys(modelParameters.shape) as ModelParameter[];

/** Upper limits for callers other than the authors, if the node itself sets no value. */
const ceilingsOfUnset: Partial<Readonly<Record<ModelParameter, Json>>> = {
  temperature: 1,
  maxTokens: 4_096,
  topP: 1,
  reasoning: "medium",
  thinkingTokens: 4_096,
};

/** Orders values by cost or deviation; undefined for one without an order. */
function rankOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  const rank = (reasoningLevels as readonly unknown[]).indexOf(value);
  return rank < 0 ? undefined : rank;
}

function isModelParameter(name: string): name is ModelParameter {
  return Object.hasOwn(modelParameters.shape, name);
}

/** Nodes with a model whose parameter the caller may change. */
function modelsThatAllow({ graph }: CompiledFlow, name: ModelParameter, permissions: OverridePermissions): GraphNode[] {
  return [...graph.nodes.values()].filter((node) => hasModel(node) && permissions.allows(node.label, name));
}

/** The overrides with each model parameter capped at the owner's, and the names of those that were lowered. */
function withCeilings(
  { graph }: CompiledFlow,
  nodeConfig: Readonly<Record<string, JsonObject>>,
): { nodeConfig: Record<string, JsonObject>; lowered: ModelParameter[] } {
  const lowered = new Set<ModelParameter>();
  const capped = Object.entries(nodeConfig).map(([id, { model, ...config }]): [string, JsonObject] => {
    if (model === undefined) return [id, config];
    const owner = toJsonObject(graph.nodes.get(id)?.config.model as Json | undefined);
    const wanted = { ...toJsonObject(model) };
    for (const name of names) {
      const standard = ceilingsOfUnset[name];
      if (standard === undefined) continue;
      const ceiling = owner[name] ?? standard;
      const value = rankOf(wanted[name]);
      const most = rankOf(ceiling);
      if (value === undefined || most === undefined || value <= most) continue;
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
