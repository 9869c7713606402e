import type { NodeProblem } from "@weft/engine/node";
import { effectOfName, toolEffectSchema } from "@weft/schema";
import { z } from "zod";
import { callFields } from "./calls/call-settings.ts";
import { createCustomTool, type StoredTool } from "./custom-tool/create-custom-tool.ts";
import { defineIntegration } from "./define-integration.ts";
import { reviewCode } from "./review-tool.ts";
import { invalidTool, toToolName } from "./tool-name.ts";

/** Maximum characters of console output in the trace of one call. */
const maxLogCharacters = 4_000;

/** Lets the model call a stored tool. Source: reference, "Tool". */
export const customTool = defineIntegration({
  type: "custom-tool",
  title: "Custom tool",
  summary: "Calls a function you wrote.",
  group: "custom",
  icon: "function",
  config: z.object({
    toolId: z.string().min(1, "Choose a tool").max(100).meta({ title: "Tool", widget: "custom-tool", ref: "tool" }),
    name: z.string().max(200).optional().meta({
      title: "Name",
      help: "Name the model uses for this tool. If empty, the tool's own name.",
      advanced: true,
    }),
    description: z.string().max(4_000).optional().meta({
      title: "Description",
      help: "Tells the model when to use it. If empty, the tool's own description.",
      widget: "textarea",
      advanced: true,
    }),
    effect: toolEffectSchema.optional().meta({
      title: "What it does",
      labels: { read: "Reads only", write: "Changes something", destructive: "Deletes or destroys something" },
      help: "The agent's settings decide which of these effects visitors can trigger. If empty, it is taken to change something, or to delete something where its name says so.",
      advanced: true,
    }),
    returnDirect: z.boolean().default(false).meta({
      title: "Return Direct",
      help: "Return what the function gives back as the agent's answer.",
      advanced: true,
    }),
    timeoutMs: callFields.timeoutMs,
    maxCharacters: callFields.maxCharacters,
  }),
  async reviewStored({ toolId }, stored) {
    const tool = await stored.find(toolId);
    return tool === undefined ? [] : reviewStoredTool(tool, "toolId");
  },
  isBuiltForEachRun: () => true,
  async build({ toolId, effect, returnDirect, timeoutMs, maxCharacters, ...own }, { storedTools }) {
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
        // Code may change anything.
        kind: "write",
        effect: effect ?? effectOfName(name),
        async call(args, context) {
          const { content, isError, logs, durationMs } = await tool.call(args, context, { timeoutMs, maxCharacters });
          const log = logs.join("\n").slice(0, maxLogCharacters);
          const details = { durationMs, ...(log !== "" && { log }) };
          return { content, ...(isError && { isError }), ...(returnDirect && !isError && { returnDirect }), details };
        },
      },
    ];
  },
});

/** Finds problems that make every call of a stored tool fail. */
function reviewStoredTool({ name, func }: StoredTool, path: string): NodeProblem[] {
  if (func?.trim()) return reviewCode(func, path, `The code of ${name}`);
  const message = `${name} has no code yet, so every call fails. Write the body of a JavaScript function.`;
  return [{ level: "error", code: "tool-without-code", path, message }];
}

const maxTools = 100;

/** Lets the model call several stored tools, or all of them. */
export const customTools = defineIntegration({
  type: "custom-tools",
  title: "Custom tools",
  summary: "Calls functions you wrote: all of them, or those you choose.",
  group: "custom",
  icon: "function",
  config: z.object({
    toolIds: z.array(z.string().min(1).max(100)).max(maxTools).optional().meta({
      title: "Tools",
      help: "If empty, all custom tools are available.",
      widget: "custom-tools",
      ref: "tool",
      emptyNamesAll: true,
    }),
  }),
  async reviewStored({ toolIds }, stored) {
    const tools = await Promise.all((toolIds ?? []).map((id) => stored.find(id)));
    return tools.flatMap((tool) => (tool === undefined ? [] : reviewStoredTool(tool, "toolIds")));
  },
  isBuiltForEachRun: () => true,
  async build({ toolIds }, context) {
    const ids = toolIds ?? (await context.storedTools.newestIds(maxTools));
    const built = await Promise.all(
      ids.map((toolId) => customTool.build(customTool.config.parse({ toolId }), context)),
    );
    return built.flat();
  },
});
