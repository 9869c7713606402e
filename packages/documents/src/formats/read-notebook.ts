import { decodeText } from "../decode-text.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { Unreadable } from "../unreadable.ts";
import { parseJsonText } from "./read-json.ts";

/**
 * A Jupyter notebook as Markdown: its texts unchanged, code in fences with the start of its printed output. Images and
 * other outputs are left out. Source: nbformat 3 and 4.
 */
export function readNotebook({ bytes, budget }: ReadContext): ReadResult {
  const notebook = parseJsonText(decodeText(bytes), "it is not valid JSON");
  const cells = [notebook, ...listIn(notebook, "worksheets")].flatMap((part) => listIn(part, "cells"));
  if (cells.length === 0) throw new Unreadable("it is no Jupyter notebook with cells");
  const metadata = fieldOf(notebook, "metadata");
  const language = toText(fieldOf(fieldOf(metadata, "language_info"), "name")).replace(/[^\w+#-]/g, "");
  const parts = cells.flatMap((cell) => readCell(cell, language)).map(budget.take);
  return { sections: [{ text: parts.join("\n\n"), metadata: {} }], title: toText(fieldOf(metadata, "title")) };
}

/** Limit of a cell's printed output; people seldom search for the rest. */
const printedCharacters = 2_000;

function readCell(cell: unknown, language: string): string[] {
  const kind = fieldOf(cell, "cell_type");
  const source = toText(fieldOf(cell, "source") ?? fieldOf(cell, "input")).trim();
  if (kind === "heading") return source === "" ? [] : [`# ${source}`];
  if (kind !== "code") return source === "" ? [] : [source];
  const printed = listIn(cell, "outputs").map(readOutput).join("").trim().slice(0, printedCharacters);
  return [toFence(source, language), toFence(printed, "")].filter((part) => part !== "");
}

function readOutput(output: unknown): string {
  const data = fieldOf(output, "data");
  return toText(fieldOf(output, "text") ?? fieldOf(data, "text/markdown") ?? fieldOf(data, "text/plain"));
}

function toFence(text: string, language: string): string {
  const fence = text.includes("```") ? "~~~~" : "```";
  return text === "" ? "" : `${fence}${language}\n${text}\n${fence}`;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function listIn(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

/** Multi-line texts are lists of lines. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.filter((line) => typeof line === "string").join("");
  return typeof value === "string" ? value : "";
}
