import { z } from "zod";
import { customTool, reviewStoredTool } from "./custom-tool.ts";
import { defineIntegration } from "./define-integration.ts";

const maxTools = 100;

/** Lets the model call several stored tools, or all of them. */
export const customTools = defineIntegration({
  type: "custom-tools",
  title: "Custom tools",
  summary: "Calls the functions that you wrote: all of them, or those you choose.",
  group: "custom",
  icon: "function",
  config: z.object({
    toolIds: z
      .array(z.string().min(1).max(100))
      .max(maxTools)
      .optional()
      .meta({ title: "Tools", help: "Empty: every custom tool there is.", widget: "custom-tools" }),
  }),
  async review({ toolIds }, stored) {
    const tools = await Promise.all((toolIds ?? []).map((id) => stored.find(id)));
    return tools.flatMap((tool) => (tool === undefined ? [] : reviewStoredTool(tool, "toolIds")));
  },
  async build({ toolIds }, context) {
    const ids = toolIds ?? (await context.storedTools.newestIds(maxTools));
    const built = await Promise.all(
      ids.map((toolId) => customTool.build(customTool.config.parse({ toolId }), context)),
    );
    return built.flat();
  },
});
