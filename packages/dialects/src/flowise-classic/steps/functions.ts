import { isJsonObject, type JsonObject } from "@weft/schema";
import { type ClassicScope, exitsBefore, toPromptValue } from "../scope.ts";
import { addHelper, addStep, dataStep, type StepConverter } from "./step.ts";

/** Code of the author. It runs once, as a step of its own or as the answer. */
const customFunction: StepConverter = {
  worksBefore: ({ output }) => output !== "EndingNode",
  draw(scope) {
    const { settings, report } = scope;
    const code = settings.text("javascriptFunction");
    if (scope.parts("tools").length > 0) {
      report.refuse(
        "code-tools",
        "Its code calls tools, which code cannot do here. Let an agent call them, or add a tool step before it.",
      );
    }
    const config = {
      variables: toVariables(scope),
      code: code,
    };
    const label = settings.text("functionName").trim() || scope.node.label;
    return dataStep(addStep(scope, { type: "custom-function", label, config }), "data");
  },
};

/** The values that code reads as `$name`. */
function toVariables({ settings, report }: ClassicScope): JsonObject[] {
  const values = settings.json("functionInputVariables");
  if (values === undefined) return [];
  if (!isJsonObject(values)) {
    report.refuse("function-variables", "The input variables of its function are not a JSON object. Correct them.");
    return [];
  }
  return Object.entries(values).map(([name, value]) => ({ name, value: toPromptValue(value) }));
}

/** The value of the first function, if it is truthy, goes one way; the value of the second goes the other. */
const ifElseFunction: StepConverter = {
  worksBefore: () => true,
  draw(scope) {
    const { settings, conversion, node, stepId } = scope;
    const code = [
      `const value = await (async () => {\n${settings.text("ifFunction")}\n})();`,
      'if (value) return { branch: "true", value };',
      `return { branch: "false", value: await (async () => {\n${settings.text("elseFunction")}\n})() };`,
    ].join("\n");
    const decided = addHelper(scope, {
      name: "function",
      label: "Decide",
      type: "custom-function",
      config: { variables: toVariables(scope), code: code },
      from: exitsBefore(conversion, node),
    });
    const conditions = [
      { type: "string", left: `{{ ${decided.id}.output.data.branch }}`, operation: "equal", right: "true" },
    ];
    const label = settings.text("functionName").trim() || node.label;
    addStep(scope, { type: "condition", label, config: { branches: [{ id: "true", conditions }] }, from: [decided] });
    return {
      exits: [
        { id: stepId, port: "true", output: "returnTrue" },
        { id: stepId, port: "else", output: "returnFalse" },
      ],
      value: (path) => `{{ ${[decided.id, "output", "data", "value", ...path].join(".")} }}`,
    };
  },
};

export const functions: Readonly<Record<string, StepConverter>> = { customFunction, ifElseFunction };
