import type { Json, JsonObject } from "@weft/schema";
import type { GraphNode } from "../flow/graph.ts";
import type { Completion } from "../node-type.ts";
import { renderTemplate } from "../template/render-template.ts";
import type { TemplateScope } from "../template/template-scope.ts";
import type { RunContext } from "./run-context.ts";
import type { NodeRun } from "./run-state.ts";
import { createTemplateScope } from "./template-values.ts";

/**
 * What a completed node adds to the flow's state: its own patch, with the updates of its config on top, rendered as the
 * run stands now. In these alone `{{ output }}` is the node's answer and `{{ output.path }}` a part of it: of its
 * structured answer, of its output, or of its text where that is JSON. Undefined when it adds nothing.
 */
export function stateAfter(
  run: RunContext,
  { node, nodeRun }: { node: GraphNode; nodeRun: NodeRun },
  completion: Completion,
): JsonObject | undefined {
  const updates = node.config.updateState ?? [];
  if (updates.length === 0) return completion.state;
  const values = createTemplateScope({ ...run, run: run.info, nodeRun, history: run.templateHistory });
  const own = ownOutput(completion);
  const scope: TemplateScope = { ...values, node: (id) => (id === "output" ? own : values.node(id)) };
  const onUnknown = (source: string) =>
    run.journal.record({
      type: "run-warned",
      code: "template-empty",
      message: `${node.label}: ${source} has no value in this run; the state was given an empty text.`,
      nodeKey: nodeRun.key,
    });
  const entries = updates.map(({ key, value }) => [key, renderTemplate(value, scope, { onUnknown })] as const);
  return { ...completion.state, ...Object.fromEntries(entries) };
}

function ownOutput({ output, text, json }: Completion): { output: Json; text: Json } {
  const answer = text ?? output;
  const data = json ?? output;
  if (Array.isArray(data)) return { output: data, text: answer };
  const fields = [parse(answer), output, json].flatMap((part) => (isObject(part) ? Object.entries(part) : []));
  return { output: Object.fromEntries(fields), text: answer };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(answer: Json): Json | undefined {
  if (typeof answer !== "string") return undefined;
  try {
    return JSON.parse(answer) as Json;
  } catch {
    return undefined;
  }
}
