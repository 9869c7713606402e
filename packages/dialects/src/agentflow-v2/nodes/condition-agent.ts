import { toModelSettings } from "../models/to-model-settings.ts";
import type { NodeConverter, NodeScope } from "../node-converter.ts";
import { toMemory } from "../prompt.ts";

/** One output for each scenario; what fits none goes to the last. */
export const conditionAgent: NodeConverter = {
  type: "condition-agent",
  toConfig: (scope) => ({
    model: toModelSettings(scope, "conditionAgentModel"),
    instructions: toInstructions(scope),
    input: scope.settings.template("conditionAgentInput") || scope.flow.inputTemplate,
    scenarios: scope.settings
      .rows("conditionAgentScenarios")
      .map((row, index) => ({ id: String(index), description: row.text("scenario") })),
    hasElse: false,
    memory: toMemory(scope.settings, "conditionAgent"),
  }),
  toPorts: (settings) => settings.rows("conditionAgentScenarios").map((_, index) => String(index)),
};

function toInstructions({ settings, report }: NodeScope): string {
  const instructions = settings.template("conditionAgentInstructions");
  const own = settings.flag("conditionAgentOverrideSystemPrompt")
    ? settings.template("conditionAgentSystemPrompt")
    : "";
  if (own === "") return instructions;
  report.warn(
    "condition-agent-prompt",
    "Its own system prompt is added to the instructions; how the model must answer is told beside it. Remove from it what says how to answer.",
  );
  return [own, instructions].filter((text) => text !== "").join("\n\n");
}
