import type { ModelTool } from "@weft/engine";
import type { JsonSchema } from "@weft/schema";
import { type Asked, fillArguments, kindOf } from "./fill-arguments.ts";
import { findAction, findNouns } from "./words.ts";

/** The tool that fits best, with its arguments as far as given, or undefined when none is about what was asked. */
export function chooseTool(tools: readonly ModelTool[], asked: Asked) {
  const fits = tools.map((tool) => fitTool(tool, asked)).filter(({ score }) => score > 0);
  return fits.sort((a, b) => b.score - a.score)[0];
}

function fitTool({ name, description, parameters }: ModelTool, asked: Asked) {
  const properties = Object.entries((parameters.properties ?? {}) as Record<string, JsonSchema>);
  const required = Array.isArray(parameters.required) ? parameters.required.map(String) : [];
  const args = fillArguments(name, properties, asked);
  const id = properties.find((property) => kindOf(...property) === "id")?.[0];
  const action = findAction(name) ?? findAction(description);
  const named = findNouns(name);
  const described = findNouns(`${description} ${properties.map(([key]) => key).join(" ")}`);
  const nouns = findNouns(asked.text);
  const shared = nouns.reduce((sum, noun) => sum + (named.includes(noun) ? 3 : Number(described.includes(noun))), 0);
  // An id is enough to read; a change of something else by the same id is not; a creation must give all that is needed.
  const used = findNouns(Object.values(args).join(" "));
  const isComplete = required.length > 1 && required.every((key) => args[key] !== undefined);
  const hasId = asked.id !== undefined && (asked.action === "read" || nouns.every((noun) => used.includes(noun)));
  const isAbout = shared > 0 || (action !== undefined && (asked.id === undefined ? isComplete : hasId));
  const lacksId = asked.id === undefined ? required.includes(id ?? "") : id === undefined;
  const score = 10 + shared - (lacksId ? 6 : 0) - (action === undefined ? 4 : 0);
  return { name, action, args, required, id, score: isAbout && (action ?? asked.action) === asked.action ? score : 0 };
}
