import type { NodeContext } from "@weft/engine/node";
import { parseTemplate } from "@weft/engine/template";
import { isJsonObject, type Json, type JsonObject, readFilter } from "@weft/schema";

/**
 * The filter with its templates rendered. `nothing`: a text has no value, so that the filter is undefined, and no
 * passage may be found; the run is warned.
 */
export function renderFilter(context: NodeContext, given: JsonObject | undefined): JsonObject | undefined | "nothing" {
  if (given === undefined) return undefined;
  try {
    const rendered = renderObject(context, given);
    const read = readFilter(rendered);
    if (!("problem" in read)) return rendered;
    throw new Untold(`filter.${read.problem.path.join(".")} ${read.problem.reason}`);
  } catch (error) {
    if (!(error instanceof Untold)) throw error;
    context.warn("filter-untold", `${context.label}: nothing was searched, because ${error.message}`);
    return "nothing";
  }
}

/** The filter cannot be resolved in this run. */
class Untold extends Error {}

function renderObject(context: NodeContext, given: JsonObject): JsonObject {
  const entries = Object.entries(given).map(([name, value]): [string, Json] => {
    if (isJsonObject(value)) return [name, renderObject(context, value)];
    if (Array.isArray(value)) return [name, value.flatMap((each) => renderItem(context, each))];
    return hasTemplate(value) ? toEntry(name, renderValue(context, value)) : [name, value];
  });
  if (new Set(entries.map(([name]) => name)).size === entries.length) return Object.fromEntries(entries);
  throw new Untold("its filter names one operator twice.");
}

/** A number from a template may match a text in the metadata, if compared for equality. */
function toEntry(name: string, told: Json): [string, Json] {
  if (name === "$in" || name === "$nin") return [name, [told].flat().flatMap(inBothForms)];
  const forms = inBothForms(told);
  if (forms.length === 1) return [name, told];
  if (name === "$eq") return ["$in", forms];
  if (name === "$ne") return ["$nin", forms];
  return [name, name.startsWith("$") ? told : { $in: forms }];
}

function hasTemplate(value: Json): value is string {
  return typeof value === "string" && value.includes("{{");
}

function renderItem(context: NodeContext, item: Json): Json[] {
  if (isJsonObject(item)) return [renderObject(context, item)];
  if (!hasTemplate(item)) return [item];
  return [renderValue(context, item)].flat().flatMap(inBothForms);
}

function inBothForms(value: Json): Json[] {
  return typeof value === "number" || typeof value === "boolean" ? [value, String(value)] : [value];
}

/** Every reference in it must have a value: a filter for `user-` is not one for a user. */
function renderValue(context: NodeContext, text: string): Json {
  for (const part of parseTemplate(text)) {
    if (part.kind === "reference" && isEmpty(context.render(part.source))) {
      throw new Untold(`${part.source} in its filter has no value.`);
    }
  }
  return context.render(text);
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(isEmpty);
  return value === null || (typeof value === "string" && value.trim() === "");
}
