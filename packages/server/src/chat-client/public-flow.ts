import { z } from "zod";

const formField = z.object({
  type: z.string().optional(),
  label: z.string().optional(),
  name: z.string(),
  addOptions: z
    .array(z.object({ option: z.string() }))
    .or(z.literal(""))
    .optional()
    .catch(undefined),
});

const startNode = z.object({
  id: z.string().optional(),
  data: z.object({
    name: z.literal("startAgentflow"),
    inputs: z.object({
      startInputType: z.string().optional(),
      formTitle: z.string().optional().catch(undefined),
      formDescription: z.string().optional().catch(undefined),
      formInputTypes: z.array(formField).optional().catch(undefined),
    }),
  }),
});

const storedFlow = z.object({ nodes: z.array(z.unknown()) });

/**
 * The part of a flow that chat clients read, as JSON text: the form of a start node that asks for one. Prompts,
 * addresses, tools and credentials are never in it, whatever the flow holds.
 */
export function toPublicFlow(flowData: string): string {
  const { nodes } = storedFlow.catch({ nodes: [] }).parse(JSON.parse(flowData));
  const starts = nodes.map((node) => startNode.safeParse(node).data).filter((node) => node !== undefined);
  return JSON.stringify({ nodes: starts.slice(0, 1), edges: [] });
}
