import { valueAt } from "@weft/engine";
import { type Finding, type FlowDocument, type FlowNode, maxRefusals, type Refusal } from "@weft/schema";

/**
 * The flow with the errors of its conversion kept in the steps that they are about, so that they outlive the file: a run
 * is refused with the same sentences until they are dealt with. What is about no step is kept in the start.
 */
export function keepRefusals(flow: FlowDocument, findings: readonly Finding[]): FlowDocument {
  const errors = findings.filter(({ level }) => level === "error");
  const home = flow.nodes.find(({ type }) => type === "start") ?? flow.nodes[0];
  if (errors.length === 0 || home === undefined) return flow;
  const ids = new Set(flow.nodes.map(({ id }) => id));
  const byNode = Map.groupBy(errors, ({ nodeId }) => (nodeId !== null && ids.has(nodeId) ? nodeId : home.id));
  return { ...flow, nodes: flow.nodes.map((node) => withRefusals(node, byNode.get(node.id) ?? [])) };
}

function withRefusals(node: FlowNode, errors: readonly Finding[]): FlowNode {
  if (errors.length === 0) return node;
  const refused = [...(node.refused ?? []), ...errors.map((error) => toRefusal(node, error))];
  return { ...node, refused: refused.slice(0, maxRefusals) };
}

function toRefusal({ id, config }: FlowNode, { code, message, nodeId, path }: Finding): Refusal {
  const refusal = { code, message: message.slice(0, 4_000) };
  if (path === undefined || nodeId !== id) return refusal;
  const value = valueAt(config, path);
  return { ...refusal, path, ...(value === undefined ? {} : { value }) };
}

/** Those of `further` that `said` does not hold: a flow that keeps its refusals tells them again when it is checked. */
export function notYetSaid(said: readonly Finding[], further: readonly Finding[]): Finding[] {
  const told = new Set(said.map(({ code, message }) => `${code} ${message}`));
  return further.filter(({ code, message }) => !told.has(`${code} ${message}`));
}
