import { z } from "zod";
import { createCustomTool } from "./custom-tool/create-custom-tool.ts";
import { defineIntegration } from "./define-integration.ts";
import { invalidTool } from "./outcome.ts";
import { callFields } from "./request-settings.ts";
import { toToolName } from "./tool-name.ts";

/** Characters of console output that a trace keeps of one call. */
const maxLogCharacters = 4_000;

/** Lets the model call a stored tool. Source: reference, "Tool". */
export const customTool = defineIntegration({
  type: "custom-tool",
  title: "Custom tool",
  summary: "Calls a function that you wrote.",
  group: "custom",
  icon: "function",
  config: z.object({
    toolId: z.string().min(1, "Choose a tool").max(100).meta({ title: "Tool", widget: "custom-tool" }),
    name: z.string().max(200).optional().meta({
      title: "Name",
      help: "How the model calls this tool. Empty: the tool's own name.",
      advanced: true,
    }),
    description: z.string().max(4_000).optional().meta({
      title: "Description",
      help: "Tells the model when to use it. Empty: the tool's own.",
      widget: "textarea",
      advanced: true,
    }),
    timeoutMs: callFields.timeoutMs,
    maxCharacters: callFields.maxCharacters,
  }),
  async build({ toolId, timeoutMs, maxCharacters, ...own }, { storedTools }) {
    const stored = await storedTools.find(toolId);
    if (stored === undefined) {
      throw invalidTool(own.name || toolId, "it was deleted. Choose another tool, or remove it from the agent.");
    }
    const name = toToolName(own.name || stored.name, "custom_tool");
    const tool = createCustomTool(stored);
    return [
      {
        name,
        description: own.description?.trim() || stored.description.trim() || `Calls ${stored.name}.`,
        parameters: tool.parameters,
        // Whoever wrote the code may have it change anything.
        kind: "write",
        async call(args, context) {
          const { content, isError, logs, durationMs } = await tool.call(args, context, { timeoutMs, maxCharacters });
          const log = logs.join("\n").slice(0, maxLogCharacters);
          return { content, ...(isError && { isError }), details: { durationMs, ...(log !== "" && { log }) } };
        },
      },
    ];
  },
});
