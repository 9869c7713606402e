import { withKnownModules } from "../known-modules.ts";
import type { NodeConverter } from "../node-converter.ts";

export const customFunction: NodeConverter = {
  type: "custom-function",
  toConfig: ({ settings, report }) => ({
    variables: settings
      .rows("customFunctionInputVariables")
      .map((row) => ({ name: row.text("variableName"), value: row.template("variableValue") }))
      .filter(({ name }) => name !== ""),
    code: withKnownModules(settings.text("customFunctionJavascriptFunction"), "Its function", report),
  }),
};
