import { isJsonObject, type Json, type JsonObject, toJsonList, toJsonObject } from "@weft/schema";
import { parseLenientJson } from "./lenient-json.ts";
import { toMarkdown } from "./rich-text.ts";

/**
 * The values of a node or component, as lenient as the forms that wrote them: unset is absent, `""` or `null`; numbers
 * and booleans may be text; lists and objects may be JSON text.
 */
export type Settings = {
  /** `""` when unset. */
  text(key: string): string;
  /** A text for people and models: HTML of the editor becomes Markdown, references become native. */
  template(key: string): string;
  /** As `template`, of a state update, where `{{ output }}` is the node's own result. */
  stateTemplate(key: string): string;
  /** False when unset. */
  flag(key: string): boolean;
  number(key: string): number | undefined;
  /** The objects of a list. */
  rows(key: string): Settings[];
  /** The texts of a list. */
  names(key: string): string[];
  /** Unset: no settings. */
  group(key: string): Settings;
  /** An object or list, its texts with native references. Undefined when unset, `null` when the text is no JSON. */
  json(key: string): JsonObject | Json[] | null | undefined;
  /** Names of the values that are set. */
  keys(): string[];
};

/** Makes a text native. With `ownOutput`, `{{ output }}` is the node's own result. */
export type ToTemplate = (text: string, ownOutput?: boolean) => string;

/** Reads values. Names that all objects inherit are no values. */
export function createSettings(values: JsonObject, toTemplate: ToTemplate): Settings {
  const settings: Settings = {
    text: (key) => toText(own(values, key)),
    template: (key) => toTemplate(settings.text(key)),
    stateTemplate: (key) => toTemplate(settings.text(key), true),
    flag: (key) => settings.text(key) === "true",
    number(key) {
      const text = settings.text(key).trim();
      const number = Number(text);
      return text === "" || !Number.isFinite(number) ? undefined : number;
    },
    rows: (key) =>
      toList(own(values, key))
        .filter(isJsonObject)
        .map((row) => createSettings(row, toTemplate)),
    names: (key) =>
      toList(own(values, key))
        .map(toText)
        .filter((name) => name !== ""),
    group(key) {
      const value = own(values, key);
      const parsed = typeof value === "string" ? parseLenientJson(value) : value;
      return createSettings(toJsonObject(parsed), toTemplate);
    },
    json(key) {
      const value = own(values, key);
      const text = toMarkdown(settings.text(key)).trim();
      if (text === "") return undefined;
      const parsed = typeof value === "string" ? parseLenientJson(text) : value;
      return typeof parsed === "object" && parsed !== null ? mapTexts(parsed, (text) => toTemplate(text)) : null;
    },
    keys: () => Object.keys(values).filter((key) => !isUnset(values[key])),
  };
  return settings;
}

function own(values: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function isUnset(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" || value === false;
}

function toText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function mapTexts<T extends Json>(value: T, map: (text: string) => string): T;
function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]));
}

function toList(value: Json | undefined): Json[] {
  const list = typeof value === "string" ? parseLenientJson(value) : value;
  return toJsonList(list);
}
