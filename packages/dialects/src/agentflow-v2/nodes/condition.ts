import type { Json, JsonObject } from "@weft/schema";
import { toModelSettings } from "../models/to-model-settings.ts";
import type { NodeConverter, NodeScope } from "../node-converter.ts";
import { toMemory } from "../prompt.ts";
import type { Settings } from "../settings.ts";

/** One branch for each line, and else for when none holds. */
export const condition: NodeConverter = {
  type: "condition",
  toConfig: ({ settings }) => ({
    branches: settings.rows("conditions").map((row, index) => ({ id: String(index), conditions: [toCondition(row)] })),
  }),
  toPorts: (settings) => [...settings.rows("conditions").map((_, index) => String(index)), "else"],
};

function toCondition(row: Settings): JsonObject {
  switch (row.text("type")) {
    case "number":
      return {
        type: "number",
        left: row.template("value1") === "" ? "" : toNumber(row.template("value1")),
        operation: toOperation(row, numberOperations),
        right: toNumber(row.template("value2")),
      };
    case "boolean":
      return {
        type: "boolean",
        left: row.flag("value1"),
        operation: toOperation(row, booleanOperations),
        right: row.flag("value2"),
      };
    default:
      return {
        type: "string",
        left: row.template("value1"),
        operation: toOperation(row, textOperations),
        right: row.template("value2"),
      };
  }
}

const booleanOperations = { equal: "equal", notEqual: "not-equal" };
const sharedOperations = { ...booleanOperations, isEmpty: "is-empty", notEmpty: "is-not-empty" };
const numberOperations = {
  ...sharedOperations,
  smaller: "smaller",
  smallerEqual: "smaller-or-equal",
  larger: "larger",
  largerEqual: "larger-or-equal",
};
const textOperations = {
  ...sharedOperations,
  contains: "contains",
  notContains: "not-contains",
  startsWith: "starts-with",
  endsWith: "ends-with",
  regex: "matches",
};

function toOperation(row: Settings, operations: Readonly<Record<string, string>>): string {
  const name = row.text("operation");
  return (Object.hasOwn(operations, name) ? operations[name] : undefined) ?? "equal";
}

/** A constant that is no number counts as 0. */
function toNumber(text: string): Json {
  return text.includes("{{") ? text : Number.parseFloat(text) || 0;
}

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
