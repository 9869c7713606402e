import { isDeeperThan, isJsonObject, type Json, type JsonObject, parseJson } from "@weft/schema";
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { quoteExpressions } from "./quote-expressions.ts";

/** Most text of one file, in characters. */
const maxFileLength = 1_000_000;
/** Deepest nesting of lists and objects. */
const maxDepth = 150;
/** Most lines and commas of one YAML file, and most quotes and marks: more would take seconds to read. */
const maxParts = 60_000;
/** Warnings of one file that are told. */
const maxWarnings = 20;
/** Anchored values that a file may repeat. */
const maxAliases = 100;

/** What a file holds, or why it cannot be read: a sentence that says what to do. `warnings` are such sentences too. */
export type ReadFile = { ok: true; value: JsonObject; warnings: string[] } | { ok: false; problem: string };

/**
 * Reads a file as YAML, or as JSON where it is such. A byte order mark and a Markdown fence around it are left out.
 * Tags mean nothing, `<<` merges nothing, and aliases, depth and length are bounded. Never throws.
 */
export function readFile(text: string): ReadFile {
  if (text.length > maxFileLength) {
    return { ok: false, problem: `It is longer than ${maxFileLength} characters. Divide it into several workflows.` };
  }
  const { content, firstLine } = stripFence(text);
  const tooDeep = { ok: false, problem: `It is nested more than ${maxDepth} deep. Flatten it.` } as const;
  if (indentationDepth(content) > maxDepth || bracketDepth(content) > maxDepth) return tooDeep;
  const json = content.trimStart().startsWith("{") ? parseJson(content) : undefined;
  if (isJsonObject(json)) return { ok: true, value: json, warnings: [] };
  return readYaml(quoteExpressions(content), firstLine);
}

/** The text between the lines of a Markdown fence, if there is one. `firstLine` counts from 0. */
function stripFence(text: string): { content: string; firstLine: number } {
  const content = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const lines = content.split("\n");
  const open = lines.findIndex((line) => /^\s*(```|~~~)\s*(ya?ml|json)?\s*$/i.test(line));
  if (open < 0 || lines.slice(0, open).some((line) => /^\s*(kind|trigger|actions)\s*:/i.test(line))) {
    return { content, firstLine: 0 };
  }
  const close = lines.findIndex((line, index) => index > open && /^\s*(```|~~~)\s*$/.test(line));
  const inside = lines.slice(open + 1, close < 0 ? undefined : close);
  return { content: inside.join("\n"), firstLine: open + 1 };
}

/** How many levels of indentation are open at once at most, by the widths of lines; `- - -` opens one each. */
function indentationDepth(content: string): number {
  const widths: number[] = [];
  let deepest = 0;
  for (const [start] of content.matchAll(/^[ \t]*(?:[-?:] +)*/gm)) {
    while ((widths.at(-1) ?? -1) >= start.length) widths.pop();
    widths.push(start.length);
    deepest = Math.max(deepest, widths.length, start.replaceAll(/[ \t]/g, "").length);
  }
  return deepest;
}

/** How many brackets are open at once at most, those in quotes included: good enough to refuse what is hostile. */
function bracketDepth(content: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of content.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === "[" || bracket === "{" ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function readYaml(content: string, firstLine: number): ReadFile {
  const countOf = (pattern: RegExp) => content.length - content.replaceAll(pattern, "").length;
  if (Math.max(countOf(/[\n,]/g), countOf(/["'&*!]/g)) > maxParts) {
    return { ok: false, problem: `It has more than ${maxParts} lines or entries. Divide it into several workflows.` };
  }
  const lineCounter = new LineCounter();
  const lineOf = (offset: number) => lineCounter.linePos(offset).line + firstLine;
  try {
    const document = parseDocument(content, {
      lineCounter,
      merge: false,
      resolveKnownTags: false,
      customTags: [],
      prettyErrors: false,
      logLevel: "silent",
      uniqueKeys: false,
      schema: "core",
    });
    const [error] = document.errors;
    if (error) {
      const hint = error.code === "TAB_AS_INDENT" ? "Indent with spaces instead of tabs." : "Correct the YAML there.";
      return { ok: false, problem: `Line ${lineOf(error.pos[0])}: ${toSentence(error.message)} ${hint}` };
    }
    const reading: Reading = {
      lineOf,
      warnings: new Set(),
      aliases: 0,
      resolve: (node) => document.contents && resolveAlias(node, document),
    };
    const value = toJson(document.contents, reading, 0);
    if (!isJsonObject(value)) {
      return { ok: false, problem: "It holds neither a workflow nor an agent. Choose another file." };
    }
    if (isDeeperThan(value, maxDepth))
      return { ok: false, problem: `It is nested more than ${maxDepth} deep. Flatten it.` };
    for (const { pos, message } of document.warnings) {
      reading.warnings.add(`Line ${lineOf(pos[0])}: ${toSentence(message)} It means nothing here: remove it.`);
    }
    return { ok: true, value, warnings: [...reading.warnings].slice(0, maxWarnings) };
  } catch (cause) {
    if (cause instanceof YamlProblem) return { ok: false, problem: cause.message };
    return { ok: false, problem: "It cannot be read as YAML. Export it again and import the file unchanged." };
  }
}

class YamlProblem extends Error {}

type Reading = {
  lineOf(offset: number): number;
  warnings: Set<string>;
  aliases: number;
  resolve(node: unknown): unknown;
};

function resolveAlias(node: unknown, document: Parameters<import("yaml").Alias["resolve"]>[0]): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

/** The node as JSON. Throws `YamlProblem` for too many aliases or levels. */
function toJson(node: unknown, reading: Reading, depth: number): Json {
  if (depth > maxDepth) throw new YamlProblem(`It is nested more than ${maxDepth} deep. Flatten it.`);
  if (isAlias(node)) {
    reading.aliases += 1;
    if (reading.aliases > maxAliases) {
      throw new YamlProblem(`It repeats anchored values more than ${maxAliases} times. Write them out.`);
    }
    return toJson(reading.resolve(node), reading, depth + 1);
  }
  if (isSeq(node)) return node.items.map((item) => toJson(item, reading, depth + 1));
  if (isMap(node)) return toObject(node.items, reading, depth);
  return isScalar(node) ? toScalar(node.value) : null;
}

type Pair = { key: unknown; value: unknown };

/** Of a key that is written twice the last counts, and a warning says so. */
function toObject(items: readonly Pair[], reading: Reading, depth: number): JsonObject {
  const entries = new Map<string, Json>();
  for (const { key, value } of items) {
    const name = isScalar(key) ? String(key.value) : JSON.stringify(toJson(key, reading, depth + 1));
    if (name === "<<") {
      reading.warnings.add(`Line ${reading.lineOf(offsetOf(key))}: << merges nothing. Write out what it refers to.`);
    }
    if (entries.has(name)) {
      reading.warnings.add(`Line ${reading.lineOf(offsetOf(key))}: the key ${name} is written twice. Remove one.`);
    }
    entries.set(name, toJson(value, reading, depth + 1));
  }
  return Object.fromEntries(entries);
}

function offsetOf(node: unknown): number {
  const { range } = (isScalar(node) ? node : {}) as Pick<Node, "range">;
  return range?.[0] ?? 0;
}

function toScalar(value: unknown): Json {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return value === null || value === undefined ? null : String(value);
}

/** The message of the parser, in one line with a full stop. */
function toSentence(message: string): string {
  const line = (message.split("\n")[0] ?? "").replace(/[.:]?\s*$/, "");
  return `${line.slice(0, 200)}.`;
}
