import { type CompiledFlow, compileNode } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import { type FormSettings, formOf, readForm, readFormText } from "@weft/nodes";
import {
  type Json,
  type JsonObject,
  longestHistory,
  longestQuestion,
  type PredictionRequest,
  type RunInput,
  WeftError,
} from "@weft/schema";
import type { CallerRights } from "./caller.ts";
import type { OverridableAgent, Warning } from "./node-overrides.ts";
import { overridePermissions } from "./override-permissions.ts";
import { ignoredWarning, layOver, type ReadOverrides, readOverrides } from "./read-overrides.ts";

/** A run's input, and the parts of the request that did not apply. */
export type ResolvedInput = { input: RunInput; sessionId: string | undefined; flow: CompiledFlow; warnings: Warning[] };

export type ResolveInputDeps = { registry: NodeRegistry; caller: CallerRights };

/**
 * Reads the body of a prediction, and the overrides that the caller may make. Everything else is ignored, with one
 * warning that names it. Throws `validation-failed` if there is nothing to answer, and for an applicable override that
 * does not fit.
 */
export function resolveInput(
  request: PredictionRequest,
  agent: OverridableAgent,
  { registry, caller }: ResolveInputDeps,
): ResolvedInput {
  refuseUnanswerable(request);
  assertOfSize(request);
  const { history, ...overrides } = overridesOf(request, agent, caller);
  const input: RunInput = {};
  if (request.question !== undefined) input.question = request.question;
  const { form, warnings: ofForm } = readFormOf(agent.flow, request);
  if (form !== undefined) input.form = form;
  if (history !== undefined) input.history = history;
  if (request.leadEmail !== undefined) input.leadEmail = request.leadEmail;
  Object.assign(input, overrides.input);
  const { nodeConfig } = overrides.input;
  const flow = withNodeConfig(agent.flow, nodeConfig, registry);
  if (nodeConfig !== undefined) assertSettingsKnown(flow, nodeConfig);
  const { ignored } = overrides;
  const ofIgnored = ignored.length === 0 ? [] : [ignoredWarning(ignored)];
  const warnings = [...ofForm, ...overrides.warnings, ...ofIgnored];
  return { input, sessionId: overrides.sessionId, flow, warnings };
}

/** What the caller changes for this run, with its own history if it may send one. */
function overridesOf(
  { overrideConfig, history }: PredictionRequest,
  agent: OverridableAgent,
  caller: ResolveInputDeps["caller"],
): ReadOverrides & Pick<RunInput, "history"> {
  if (overrideConfig === undefined && history === undefined) return nothing;
  const permissions = overridePermissions(agent.apiConfig, caller);
  const overrides = readOverrides(overrideConfig ?? {}, agent, permissions);
  if (history === undefined) return overrides;
  if (permissions.allowsHistory) return { ...overrides, history };
  return { ...overrides, ignored: [...overrides.ignored, "history"] };
}

const nothing: ReadOverrides = { sessionId: undefined, input: {}, ignored: [], warnings: [] };

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

/** For requests that bypass the schema of predictions. */
function assertOfSize({ question = "", history = [] }: PredictionRequest): void {
  const isLong = question.length > longestQuestion;
  if (!isLong && history.length <= longestHistory) return;
  const [path, limit, what] = isLong
    ? (["question", longestQuestion, "characters"] as const)
    : (["history", longestHistory, "entries"] as const);
  throw new WeftError("limit-exceeded", {
    params: { where: path, limit, what },
    errors: [{ path, message: `has more than ${limit} ${what}` }],
  });
}

/**
 * The submitted values, with the defaults of the flow's start form, if it has one. A question fills the form in with a
 * line for each field.
 */
function readFormOf(
  flow: CompiledFlow,
  { form, question = "" }: PredictionRequest,
): { form: JsonObject | undefined; warnings: Warning[] } {
  const settings = formOf(flow);
  if (!settings) return { form, warnings: [] };
  const given = form ?? readFormText(settings, question);
  const read = readForm(settings, given);
  if (read.ok) return { form: read.form, warnings: given === undefined ? [notFilledIn(settings)] : [] };
  const reason = read.errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  throw new WeftError("validation-failed", { params: { reason }, errors: read.errors });
}

function notFilledIn({ fields }: FormSettings): Warning {
  const names = fields.slice(0, 10).map(({ name }) => name.slice(0, 80));
  return {
    code: "form-empty",
    message: `This agent begins with a form, and the question fills in none of its fields. Send form, or a question with a line for each field, such as "${names[0] ?? "name"}: …". Fields: ${names.join(", ") || "none"}.`,
  };
}

/** Throws `validation-failed` for a setting inside an override that its node does not know and dropped. */
function assertSettingsKnown({ graph }: CompiledFlow, nodeConfig: Readonly<Record<string, JsonObject>>): void {
  for (const [id, overrides] of Object.entries(nodeConfig)) {
    const unknown = findLeftOut(overrides, graph.nodes.get(id)?.config as Json | undefined, "");
    if (unknown === undefined) continue;
    const path = `overrideConfig.${unknown}`.slice(0, 200);
    const message = "is not a setting of this node. Check its name.";
    throw new WeftError("validation-failed", {
      params: { reason: `${path}: ${message}` },
      errors: [{ path, message }],
    });
  }
}

/** The path of the first field of a value that the parsed one lacks. */
function findLeftOut(given: Json, made: Json | undefined, path: string): string | undefined {
  if (given === null || typeof given !== "object") return undefined;
  for (const [name, inner] of Object.entries(given)) {
    const at = path === "" ? name : `${path}.${name}`;
    const kept = made !== null && typeof made === "object" ? (made as JsonObject)[name] : undefined;
    if (kept === undefined) return at;
    const found = findLeftOut(inner, kept, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same flow with some settings of some nodes replaced. Throws `validation-failed` if a value does not fit. */
export function withNodeConfig(
  flow: CompiledFlow,
  nodeConfig: Readonly<Record<string, JsonObject>> | undefined,
  registry: NodeRegistry,
): CompiledFlow {
  if (nodeConfig === undefined) return flow;
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
  return { ...flow, graph: { ...flow.graph, nodes } };
}
