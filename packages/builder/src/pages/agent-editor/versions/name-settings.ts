import type { Integration, NodeType } from "@weft/client";
import { type Json, toJsonList, toJsonObject } from "@weft/schema";
import { type Field, toForm, type Variants } from "../../../forms/fields/to-field.ts";
import { isCode, toTitle } from "../../../forms/fields/to-title.ts";
import { entryName } from "../../../forms/form/entries.tsx";
import { canvasStrings, formStrings } from "../../../strings.ts";

const { diff: strings } = canvasStrings.editor;

/** A setting as its form shows it: the titles on the way to it, and its field where the form has one. */
type NamedSetting = { titles: string[]; field?: Field | undefined };

/** The schemas of what an agent may call, in which the settings of its tools are named. */
export type KnownTools = readonly Pick<Integration, "type" | "title" | "config">[];

/** What a form calls the setting at a path, and how it writes its value. `config`: where the path leads. */
export function nameSetting(
  type: Pick<NodeType, "config"> | undefined,
  { path, config, tools }: { path: readonly string[]; config: Json | undefined; tools: KnownTools },
): NamedSetting {
  const { titles, field } = follow(formOf(type?.config), path, config, tools);
  // A group and its main field often have the same name: "Model".
  return { titles: titles.filter((title, index) => title !== "" && title !== titles[index - 1]), field };
}

function formOf(schema: object | undefined): Field | undefined {
  return schema && toForm(schema);
}

function follow(
  field: Field | undefined,
  [name, ...rest]: readonly string[],
  value: Json | undefined,
  tools: KnownTools,
): NamedSetting {
  if (name === undefined) return { titles: [], field };
  if (Array.isArray(value) || field?.entry !== undefined) return followEntry(field, [name, ...rest], value, tools);
  const object = toJsonObject(value);
  const tool = name === "config" ? toolOf(field, object, tools) : undefined;
  if (tool) return follow(toForm(tool.config), rest, object.config, tools);
  if (field?.variants?.tag === name) return { titles: [], field: toChoice(field, field.variants) };
  const inner = fieldsOf(field, object).find((one) => one.name === name);
  const found = follow(inner, rest, object[name], tools);
  return { ...found, titles: [inner?.title ?? toTitle(name), ...found.titles] };
}

/** What a reference to a tool means, which has its type beside its settings. */
function toolOf(field: Field | undefined, object: Record<string, Json>, tools: KnownTools) {
  const names = new Set(field?.fields.map(({ name }) => name));
  return names.has("type") && names.has("config") ? tools.find(({ type }) => type === object.type) : undefined;
}

/** Which of its types a value is, as the choice that a form shows it as. */
function toChoice(field: Field, { kinds }: Variants): Field {
  const labels = Object.fromEntries(kinds.map(({ value, title }) => [String(value), title]));
  return { ...field, schema: { enum: kinds.map(({ value }) => value), labels } };
}

/** The fields of an object: of one that has several types, those of its own. */
function fieldsOf(field: Field | undefined, object: Record<string, Json>): readonly Field[] {
  const { variants } = field ?? {};
  const kind = variants?.kinds.find(({ value }) => value === object[variants.tag]);
  return kind?.fields ?? field?.fields ?? [];
}

function followEntry(
  field: Field | undefined,
  [index = "", ...rest]: readonly string[],
  value: Json | undefined,
  tools: KnownTools,
): NamedSetting {
  const list = toJsonList(value);
  const at = Number(index);
  const entry = list[at];
  const found = follow(field?.entry, rest, entry, tools);
  const named = entryTitle(field, list, at, tools);
  if (named !== undefined) return { ...found, titles: [named, ...found.titles] };
  // The form has one editor for the instructions of a step, named as the list of messages is.
  return { ...found, titles: [] };
}

/** What an entry of a list is called; undefined for the one that the form shows as the whole list. */
function entryTitle(
  field: Field | undefined,
  list: readonly Json[],
  at: number,
  tools: KnownTools,
): string | undefined {
  const entry = toJsonObject(list[at]);
  if (field?.widget === "messages" && at === list.findIndex((one) => toJsonObject(one).role === "system")) return;
  if (field?.widget === "tools") {
    const { name } = toJsonObject(entry.config);
    if (typeof name === "string" && name !== "") return name;
    const known = tools.find(({ type }) => type === entry.type);
    if (known) return known.title;
  }
  return entryName(field?.schema.item ?? formStrings.entry, at + 1);
}

/** Characters of a shown value. */
const longestText = 2_000;

/** A value as people read it: words for switches and choices, and a line for each setting of what has several. */
export function writeValue(value: Json, field: Field | undefined, tools: KnownTools): string {
  const text = linesOf(value, field, tools).join("\n");
  return text === "" ? strings.emptyText : text.slice(0, longestText);
}

function linesOf(value: Json, field: Field | undefined, tools: KnownTools): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry) => {
      const [first = "", ...others] = linesOf(entry, field?.entry, tools);
      return [`– ${first}`, ...others.map(indented)];
    });
  }
  if (value === null || typeof value !== "object") return [writeScalar(value, field)];
  const { variants } = field ?? {};
  const tool = toolOf(field, value, tools);
  const kind = variants?.kinds.find((one) => one.value === value[variants.tag]);
  const fields = fieldsOf(field, value);
  return Object.entries(value).flatMap(([name, inner]) => {
    // What it is, which a form shows as a choice or the title of a card.
    if (kind && name === variants?.tag) return [kind.title];
    if (tool && name === "type") return [tool.title];
    if (tool && name === "config") return linesOf(inner, toForm(tool.config), tools);
    const own = fields.find((one) => one.name === name);
    const title = own?.title ?? toTitle(name);
    if (inner === null || typeof inner !== "object") return [`${title}: ${writeScalar(inner, own)}`];
    return [`${title}:`, ...linesOf(inner, own, tools).map(indented)];
  });
}

function indented(line: string): string {
  return `  ${line}`;
}

function writeScalar(value: string | number | boolean | null, field: Field | undefined): string {
  if (value === null) return strings.nothing;
  if (typeof value === "boolean") return value ? strings.on : strings.off;
  const { labels = {}, enum: choices } = field?.schema ?? {};
  if (typeof value !== "string" || choices === undefined) return String(value);
  return labels[value] ?? (isCode(value) ? value : toTitle(value));
}
