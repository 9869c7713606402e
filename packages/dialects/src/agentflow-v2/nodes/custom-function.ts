import type { NodeConverter } from "../node-converter.ts";
import { toNativeCode } from "../to-native-code.ts";

/** As long as functions could take. */
const timeoutMs = 300_000;

export const customFunction: NodeConverter = {
  type: "custom-function",
  toConfig: ({ settings, report }) => ({
    variables: settings
      .rows("customFunctionInputVariables")
      .map((row) => ({ name: row.text("variableName"), value: row.template("variableValue") }))
      .filter(({ name }) => name !== ""),
    code: toNativeCode(settings.text("customFunctionJavascriptFunction"), "Its function", report),
    timeoutMs,
  }),
};
