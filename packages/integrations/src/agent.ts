import { z } from "zod";
import { defineIntegration } from "./define-integration.ts";
import { invalidTool, toToolName } from "./tool-name.ts";

/** Lets the model call another agent, which runs to its end as a child of this run. */
export const agent = defineIntegration({
  type: "agent",
  title: "Agent",
  summary: "Asks another agent and reads its answer.",
  group: "custom",
  icon: "agent",
  config: z.object({
    agentId: z.string().min(1, "Choose an agent").max(100).meta({ title: "Agent", widget: "agent", ref: "agent" }),
    name: z.string().max(200).default("").meta({ title: "Name", help: "Name the model uses for this tool." }),
    description: z
      .string()
      .max(4_000)
      .default("")
      .meta({ title: "Description", help: "Tells the model what that agent knows and does.", widget: "textarea" }),
    returnDirect: z.boolean().default(false).meta({
      title: "Return Direct",
      help: "Return its answer as this agent's answer.",
      advanced: true,
    }),
  }),
  build({ agentId, name, description, returnDirect }) {
    const toolName = toToolName(name, "ask_agent");
    return [
      {
        name: toolName,
        description: description.trim() || `Asks the agent ${name.trim() || "behind it"} and returns its answer.`,
        parameters: {
          type: "object",
          properties: {
            question: { type: "string", description: "The complete question; the agent sees nothing else." },
          },
          required: ["question"],
          additionalProperties: false,
        },
        // A repeated call with the same key finds the same run.
        kind: "idempotent",
        // Effects of the called agent are guarded in its own run.
        effect: "read",
        async call({ question }, { callAgent }) {
          if (!callAgent) throw invalidTool(toolName, "an agent can only be called within a run.");
          const { text, runId } = await callAgent({ agentId, question: String(question), overrideConfig: {} });
          const result = { content: text, details: { executionId: runId } };
          return returnDirect ? { ...result, returnDirect } : result;
        },
      },
    ];
  },
});
