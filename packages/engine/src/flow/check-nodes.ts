import type { Finding } from "@weft/schema";
import type { NodeProblem } from "../node-type.ts";
import type { Graph, GraphNode } from "./graph.ts";

/** Finds what only the whole flow shows: what the types say of their nodes' places, and state that nobody declares. */
export function checkNodes(graph: Graph): Finding[] {
  const nodes = [...graph.nodes.values()];
  const declared = new Set(nodes.flatMap((node) => node.type.declaresState(node.config)));
  return nodes.flatMap((node) => [...problemsOf(node, graph), ...undeclared(node, declared)].map(toFinding(node)));
}

/** Finds what would make nodes fail once they are reached. Runs are not refused for it. */
export function reviewNodes({ nodes }: Graph): Finding[] {
  return [...nodes.values()].flatMap((node) => node.type.review(node.config).map(toFinding(node)));
}

function problemsOf(node: GraphNode, { levels }: Graph): NodeProblem[] {
  const level = levels.get(node.parent ?? "");
  return level ? node.type.check(node.config, { nodeId: node.id, level, subFlow: levels.get(node.id) }) : [];
}

/** It works all the same; but a name that is written in two ways is the likeliest reason. */
function undeclared(node: GraphNode, declared: ReadonlySet<string>): NodeProblem[] {
  return (node.config.updateState ?? []).flatMap(({ key }, index) =>
    declared.has(key)
      ? []
      : {
          level: "warning",
          code: "state-undeclared",
          path: `updateState.${index}.key`,
          message: `The start node declares no state "${key}". Declare it there, with its first value.`,
        },
  );
}

export function toFinding({ id, label }: Pick<GraphNode, "id" | "label">): (problem: NodeProblem) => Finding {
  return ({ message, ...problem }) => ({ ...problem, nodeId: id, message: `Node "${label}": ${message}` });
}
