import type { ModelTool } from "@weft/engine";
import { type Asked, fillArguments } from "./fill-arguments.ts";
import { idPropertyOf, propertiesOf, requiredOf, toolAction } from "./tool-shape.ts";
import { findAction, findNouns } from "./words.ts";

/** The tool that fits best, or undefined when none is about what was asked. */
export function chooseTool(tools: readonly ModelTool[], asked: Asked): ModelTool | undefined {
  const scored = tools.map((tool) => ({ tool, score: score(tool, asked) }));
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)[0]?.tool;
}

function score(tool: ModelTool, asked: Asked): number {
  const action = findAction(asked.text) ?? "read";
  const offered = toolAction(tool);
  if (offered !== undefined && offered !== action) return 0;
  const shared = countSharedNouns(tool, asked.text);
  if (shared === 0 && (offered === undefined || !fitsWithoutNoun(tool, asked))) return 0;
  const idProperty = idPropertyOf(tool);
  const fitOfId = asked.id === undefined ? 0 : idProperty === undefined ? -4 : 2;
  const lacksId = asked.id === undefined && action === "read" && requiredOf(tool).includes(idProperty ?? "");
  return 10 + shared + fitOfId - (lacksId ? 4 : 0) - (offered === undefined ? 4 : 0);
}

function countSharedNouns(tool: ModelTool, text: string): number {
  const named = findNouns(tool.name);
  const described = findNouns([tool.description, ...propertiesOf(tool).map(([name]) => name)].join(" "));
  return [...findNouns(text)].reduce((sum, noun) => sum + (named.has(noun) ? 3 : Number(described.has(noun))), 0);
}

/** An id is enough to read; a change of something else by the same id is not; a creation must give all that is needed. */
function fitsWithoutNoun(tool: ModelTool, asked: Asked): boolean {
  if (asked.id !== undefined) return toolAction(tool) === "read" || findNouns(asked.text).size === 0;
  const args = fillArguments(tool, asked);
  return requiredOf(tool).length > 1 && requiredOf(tool).every((name) => args[name] !== undefined);
}
