import { parseLenientJson } from "../lenient-json.ts";
import type { NodeConverter } from "../node-converter.ts";

/** Runs the nodes inside it for each item, one after the other. What went wrong with an item is its result. */
export const iteration: NodeConverter = {
  type: "iteration",
  toConfig: ({ settings }) => ({
    items: toItems(settings.template("iterationInput").trim()),
    concurrency: 1,
    onItemError: "collect",
  }),
  toOutputPath: (path) => (path[0] === "iterationResults" ? ["results", ...path.slice(1)] : path),
};

/** A list that is written down becomes plain JSON; anything else is a template that yields one. */
function toItems(text: string): string {
  const value = text.includes("{{") ? undefined : parseLenientJson(text);
  return Array.isArray(value) ? JSON.stringify(value) : text;
}
