import { type Json, type JsonObject, parseJsonObject, parseJsonOrText } from "@weft/schema";
import { prettyJson } from "../../../ui/content/format.ts";

export const operators = ["$eq", "$ne", "$in", "$nin", "$gt", "$gte", "$lt", "$lte", "present", "absent"] as const;
export type Operator = (typeof operators)[number];

/** A condition as it is typed. Without a name it counts for nothing. */
export type ConditionDraft = { name: string; operator: Operator; value: string };

/** A filter while it is edited: as fields, or as the JSON text that the API takes. */
export type FilterDraft = { kind: "fields" | "json"; conditions: readonly ConditionDraft[]; text: string };

export const noFilter: FilterDraft = { kind: "fields", conditions: [], text: "" };
export const newCondition: ConditionDraft = { name: "", operator: "$eq", value: "" };

/** What is asked for; `filter` is absent where nothing is. Undefined for a text that is no JSON object. */
export function readFilterDraft({ kind, conditions, text }: FilterDraft): { filter?: JsonObject } | undefined {
  if (kind === "json") return text.trim() === "" ? {} : parseObject(text);
  const named = conditions.filter(({ name }) => name.trim() !== "").map(toCondition);
  const [first, ...others] = named;
  if (first === undefined) return {};
  return { filter: others.length === 0 ? first : { $and: named } };
}

/** The same filter to be edited in the other way. What JSON says stays JSON: fields cannot hold all of it. */
export function turnFilterDraft(draft: FilterDraft, kind: FilterDraft["kind"]): FilterDraft {
  if (kind === draft.kind || kind === "fields") return { ...draft, kind };
  const { filter } = readFilterDraft(draft) ?? {};
  return { ...draft, kind, text: filter === undefined ? draft.text : prettyJson(filter) };
}

/** How many conditions count. JSON is one. */
export function countConditions({ kind, conditions, text }: FilterDraft): number {
  if (kind === "json") return text.trim() === "" ? 0 : 1;
  return conditions.filter(({ name }) => name.trim() !== "").length;
}

export function takesValue(operator: Operator): boolean {
  return operator !== "present" && operator !== "absent";
}

export function takesList(operator: Operator): boolean {
  return operator === "$in" || operator === "$nin";
}

function toCondition({ name, operator, value }: ConditionDraft): JsonObject {
  const key = name.trim();
  if (!takesValue(operator)) return { [key]: { $exists: operator === "present" } };
  if (takesList(operator)) return { [key]: { [operator]: splitList(value).map(toValue) } };
  return { [key]: operator === "$eq" ? toValue(value.trim()) : { [operator]: toValue(value.trim()) } };
}

/** Parts between commas; one in quotation marks may hold some. */
function splitList(text: string): string[] {
  return (text.match(/\s*(?:"(?:[^"\\]|\\.)*"|[^,]+)/g) ?? []).map((part) => part.trim()).filter((part) => part !== "");
}

/** A number, a truth value or a quoted text as JSON says it; anything else is text. */
function toValue(text: string): Json {
  return /^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|".*")$/s.test(text) ? parseJsonOrText(text) : text;
}

function parseObject(text: string): { filter: JsonObject } | undefined {
  const filter = parseJsonObject(text);
  return filter && { filter };
}
