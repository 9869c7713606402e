import { readdirSync, readFileSync } from "node:fs";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";

/** The texts of one language by the keys that lead to them: `canvas.refused.gone`. */
export type Catalogue = ReadonlyMap<string, string>;

/** The kinds of value that a message takes, by their names: `number`, `boolean`, `string`, or the words of a selection. */
export type Values = ReadonlyMap<string, string>;

const folder = new URL("../../packages/builder/messages/", import.meta.url);

/** Every language that has a file, by its code. */
export function readCatalogues(): ReadonlyMap<string, Catalogue> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return new Map(files.map((file) => [file.replace(/\.json$/, ""), toCatalogue(readJson(file))]));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"));
}

/** Throws where something is neither a text nor an object of texts. */
export function toCatalogue(messages: unknown, before = ""): Catalogue {
  if (typeof messages !== "object" || messages === null || Array.isArray(messages)) {
    throw new TypeError(`${before.slice(0, -1) || "The file"}: must be a text or an object of texts`);
  }
  const entries = Object.entries(messages).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[`${before}${key}`, value]] : [...toCatalogue(value, `${before}${key}.`)],
  );
  return new Map(entries);
}

/** The values that a message takes. Throws a `SyntaxError` when it is no ICU message. */
export function valuesOf(message: string): Values {
  const values = new Map<string, string>();
  collect(parse(message, { ignoreTag: true }), values);
  return values;
}

function collect(elements: readonly MessageFormatElement[], values: Map<string, string>): void {
  for (const element of elements) {
    if (element.type === TYPE.argument) add(values, element.value, "string | number");
    if (element.type === TYPE.number) add(values, element.value, "number");
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    const kind = element.type === TYPE.plural ? "number" : kindOfSelection(Object.keys(element.options));
    add(values, element.value, kind);
    for (const { value } of Object.values(element.options)) collect(value, values);
  }
}

/** A value that is chosen by and shown is what it is chosen by. */
function add(values: Map<string, string>, name: string, kind: string): void {
  if (kind !== "string | number" || !values.has(name)) values.set(name, kind);
}

function kindOfSelection(words: readonly string[]): string {
  return words.every((word) => word === "true" || word === "other") ? "boolean" : "string";
}
