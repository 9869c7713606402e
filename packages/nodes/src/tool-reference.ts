import type { NodeContext } from "@weft/engine/node";
import type { Tool, ToolReference } from "@weft/engine/ports/tool";
import { jsonSchema } from "@weft/schema";
import { z } from "zod";

/** One integration with its settings. */
export const toolReference = z.object({
  type: z.string().min(1, "Choose a tool").max(100).meta({ title: "Tool" }),
  config: jsonSchema.default({}).meta({ title: "Settings", settingsOf: { kind: "tool", named: "type" } }),
});

/** The tools of an integration. Rejects with `tool-invalid` if it cannot be built. */
export function resolveTools(context: NodeContext, reference: ToolReference): Promise<Tool[]> {
  const { services, signal, renderText: render } = context;
  const { readCredential, http } = services;
  const warn = (code: string, message: string) => context.warn(code, `${context.label}: ${message}`);
  return services.tools.resolve(reference, { readCredential, http, signal, render, warn });
}
