import { present } from "../node-converter.ts";
import type { ToolConverter } from "./tool-converter.ts";

export const calculator: ToolConverter = () => ({ type: "calculator", config: {} });

export const currentDateTime: ToolConverter = () => ({ type: "current-date-time", config: {} });

/** The stored tool itself does not travel with the flow: it is found by its id. */
export const customTool: ToolConverter = ({ settings, report }) => {
  const toolId = settings.text("selectedTool");
  if (toolId === "") {
    report.refuse("tool-missing", "Its custom tool is not chosen. Choose one.");
    return undefined;
  }
  if (settings.flag("returnDirect")) {
    report.warn(
      "tool-return-direct",
      "What its custom tool returns goes to the model, not straight to the user. Say in the instructions that the answer is passed on as it is.",
    );
  }
  const config = {
    toolId,
    name: settings.text("customToolName") || undefined,
    description: settings.text("customToolDesc") || undefined,
  };
  return { type: "custom-tool", config: present(config) };
};

export const codeInterpreter: ToolConverter = ({ name, report }) => {
  report.warn(
    "tool-code-language",
    `Its tool ${name} ran Python; here the model writes JavaScript, in a sandbox without network. Check what it is used for.`,
  );
  return { type: "code-interpreter", config: {} };
};
