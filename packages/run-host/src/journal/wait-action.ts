import type { WithGraph } from "@weft/engine";
import { type Json, type JsonObject, type MessageAction, toJsonList, toJsonObject, type Wait } from "@weft/schema";

/** A run's open question, in the shape in which existing clients show and answer it. */
export function toAction({ graph }: WithGraph, { waitId, nodeId, details }: Wait): MessageAction {
  const { approve, reject } = labelsOf(details);
  const toolCalls = toJsonList(details.toolCalls);
  const { answer } = details;
  return {
    id: waitId,
    mapping: { approve, reject, toolCalls },
    elements: details.needsAccount === true ? [] : buttonsOf(details),
    data: {
      nodeId,
      nodeLabel: graph.nodes.get(nodeId)?.label ?? nodeId,
      input: {
        humanInputEnableFeedback: details.feedbackEnabled !== false,
        ...(answer === undefined ? {} : { answer }),
      },
    },
  };
}

/**
 * Visitors see no buttons for questions they may not answer. Clients that know only yes and no send text with a yes.
 */
function buttonsOf(details: JsonObject): MessageAction["elements"] {
  const { approve, reject } = labelsOf(details);
  const yes = { type: "agentflowv2-approve-button", label: approve };
  return details.answer === undefined ? [yes, { type: "agentflowv2-reject-button", label: reject }] : [yes];
}

/** The labels of both answers, as the node names them. */
export function labelsOf({ labels, answer }: JsonObject): { approve: string; reject: string } {
  const named = toJsonObject(labels);
  return {
    approve: textOr(named.proceed, answer === undefined ? "Proceed" : "Answer"),
    reject: textOr(named.reject, "Reject"),
  };
}

function textOr(value: Json | undefined, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}
