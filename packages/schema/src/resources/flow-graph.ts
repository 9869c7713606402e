import { z } from "zod";
import type { Flow } from "../flow.ts";

/** The shape of a flow without its settings, enough for a thumbnail. */
export const flowGraphSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      label: z.string(),
      position: z.object({ x: z.number(), y: z.number() }),
      parent: z.string().optional().meta({ description: "The step around it, from whose corner its position counts" }),
    }),
  ),
  edges: z.array(z.object({ source: z.string(), sourcePort: z.string(), target: z.string() })),
});
export type FlowGraph = z.infer<typeof flowGraphSchema>;

export function toFlowGraph({ nodes, edges }: Flow): FlowGraph {
  return {
    nodes: nodes.map(({ id, type, label, position, parent }) => ({
      id,
      type,
      label,
      position,
      ...(parent === undefined ? {} : { parent }),
    })),
    edges: edges.map(({ source, sourcePort, target }) => ({ source, sourcePort, target })),
  };
}
