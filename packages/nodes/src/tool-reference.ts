import type { NodeContext } from "@weft/engine/node";
import type { Tool, ToolReference } from "@weft/engine/ports/tool";
import { jsonSchema } from "@weft/schema";
import { z } from "zod";

/** One integration with its settings. */
export const toolReference = z.object({
  type: z.string().min(1, "Choose a tool").max(100).meta({ title: "Tool" }),
  config: jsonSchema.default({}).meta({ title: "Settings" }),
});

/** The tools of an integration. Rejects with `tool-invalid` when it cannot be built. */
export function resolveTools({ services, signal, renderText }: NodeContext, reference: ToolReference): Promise<Tool[]> {
  const { readCredential, http } = services;
  return services.tools.resolve(reference, { readCredential, http, signal, render: renderText });
}
