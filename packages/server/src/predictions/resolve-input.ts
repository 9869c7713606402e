import { type CompiledFlow, compileNode, type NodeRegistry } from "@weft/engine";
import { formOf, readForm } from "@weft/nodes";
import { type Json, type JsonObject, type PredictionRequest, type RunInput, WeftError } from "@weft/schema";
import { z } from "zod";
import { type OverridableAgent, readNodeOverrides, type Warning } from "./node-overrides.ts";

/** What a run is asked, and what of the request did not apply. */
export type ResolvedInput = { input: RunInput; sessionId: string | undefined; flow: CompiledFlow; warnings: Warning[] };

const boundedParameters = z.object({
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.number().int().min(1).max(1_000_000).optional(),
  topP: z.number().min(0).max(1).optional(),
});
const alwaysAllowed = z.object({
  sessionId: z.string().min(1).max(200).optional(),
  vars: z.record(z.string(), z.json()).optional(),
  ...boundedParameters.shape,
});

/**
 * Reads the body of a prediction: `sessionId`, `vars` and the bounded model parameters always apply, settings of nodes
 * only where the agent's `apiConfig` allows them. Everything else is ignored with a warning.
 * Throws `validation-failed` when there is nothing to answer or an override has the wrong type.
 */
export function resolveInput(
  request: PredictionRequest,
  agent: OverridableAgent,
  registry: NodeRegistry,
): ResolvedInput {
  refuseUnanswerable(request);
  const overrides = request.overrideConfig ?? {};
  const parsed = alwaysAllowed.safeParse(overrides);
  if (!parsed.success) throw invalidOverride(parsed.error);
  const { sessionId, vars, temperature, maxTokens, topP } = parsed.data;
  const input: RunInput = {};
  if (request.question !== undefined) input.question = request.question;
  const form = readFormOf(agent.flow, request);
  if (form !== undefined) input.form = form;
  if (request.history !== undefined) input.history = request.history;
  if (request.leadEmail !== undefined) input.leadEmail = request.leadEmail;
  if (vars !== undefined) input.vars = vars as JsonObject;
  const parameters = Object.entries({ temperature, maxTokens, topP }).filter(([, value]) => value !== undefined);
  if (parameters.length > 0) input.modelParameters = Object.fromEntries(parameters);
  const others = Object.entries(overrides).filter(([name]) => !Object.hasOwn(alwaysAllowed.shape, name));
  const { nodeConfig, warnings } = readNodeOverrides(agent, others);
  if (Object.keys(nodeConfig).length > 0) input.nodeConfig = nodeConfig;
  return { input, sessionId, warnings, ...withNodeConfig(agent.flow, nodeConfig, registry) };
}

function refuseUnanswerable({ question, form }: PredictionRequest): void {
  if (question !== undefined && form !== undefined) {
    throw new WeftError("validation-failed", { params: { reason: "send either question or form, not both" } });
  }
  if (question === undefined && form === undefined) {
    throw new WeftError("validation-failed", {
      params: { reason: "send question (a text) or form (an object)" },
      errors: [{ path: "question", message: "Required unless form is given." }],
    });
  }
}

/** What was filled in, with the defaults of the form that the flow begins with, where it begins with one. */
function readFormOf(flow: CompiledFlow, { form }: PredictionRequest): JsonObject | undefined {
  const settings = formOf(flow);
  if (!settings) return form;
  const read = readForm(settings, form);
  if (read.ok) return read.form;
  const reason = read.errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  throw new WeftError("validation-failed", { params: { reason }, errors: read.errors });
}

function invalidOverride(error: z.ZodError): WeftError {
  const errors = error.issues.map(({ path, message }) => ({ path: ["overrideConfig", ...path].join("."), message }));
  const reason = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  return new WeftError("validation-failed", { params: { reason }, errors });
}

/** The same flow with some settings of some nodes replaced. Throws `validation-failed` when a value does not fit. */
export function withNodeConfig(
  flow: CompiledFlow,
  nodeConfig: Readonly<Record<string, JsonObject>>,
  registry: NodeRegistry,
): { flow: CompiledFlow } {
  const nodes = new Map(flow.graph.nodes);
  for (const node of flow.flow.nodes) {
    const overrides = nodeConfig[node.id];
    if (!overrides) continue;
    const findings: CompiledFlow["findings"][number][] = [];
    const compiled = compileNode({ ...node, config: layOver(node.config, overrides) }, registry, findings);
    if (!compiled) {
      const reason = findings.map((finding) => `overrideConfig: ${finding.message}`).join(" ");
      throw new WeftError("validation-failed", { params: { reason } });
    }
    nodes.set(node.id, compiled);
  }
  return { flow: { ...flow, graph: { ...flow.graph, nodes } } };
}

/** Objects are merged, so that what is not named stays: a model that is overridden keeps its address and credential. */
function layOver(config: JsonObject, overrides: JsonObject): JsonObject {
  const merged = Object.entries(overrides).map(([name, value]) => {
    const stored = config[name];
    return [name, isObject(stored) && isObject(value) ? layOver(stored, value) : value] as const;
  });
  return { ...config, ...Object.fromEntries(merged) };
}

function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
