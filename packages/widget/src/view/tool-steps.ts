import type { ToolCall } from "@weft/conversation";
import { strings } from "../strings.ts";
import { element, icon } from "./element.ts";

/** The tools that an answer used, by their names: what went in and out is not for visitors. */
export function toolSteps(calls: readonly ToolCall[]): HTMLElement[] {
  if (calls.length === 0) return [];
  const items = calls.map(({ tool, status }) =>
    element("li", {}, status === "failed" ? strings.toolFailed(toToolName(tool)) : toToolName(tool)),
  );
  const summary = element("summary", {}, icon("tool"), strings.tools(calls.length));
  return [element("details", { class: "steps" }, summary, element("ol", {}, ...items))];
}

/** Words in place of an identifier: `search_handbook` is `Search handbook`. */
function toToolName(tool: string): string {
  const words = tool.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
