import { isDeeperThan, type Json, type JsonObject, maxJsonDepth, WeftError } from "@weft/schema";

/** `{{ a.b[0] }}`: the names between dots and brackets. */
type Reference = { kind: "reference"; path: string[]; source: string };
type TemplatePart = { kind: "text"; text: string } | Reference;

/** One quantifier: a text of any length is split in linear time. */
const referencePattern = /\{\{([^{}]*)\}\}/g;

/** Splits a text into literal parts and references. Braces that do not enclose a path stay literal. */
export function parseTemplate(text: string): TemplatePart[] {
  if (!text.includes("{{")) return text === "" ? [] : [{ kind: "text", text }];
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(referencePattern)) {
    const path = parsePath((match[1] ?? "").trim());
    if (!path) continue;
    if (match.index > end) parts.push({ kind: "text", text: text.slice(end, match.index) });
    parts.push({ kind: "reference", path, source: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

/** `a.b[0].c-d` → `["a", "b", "0", "c-d"]`; `[-1]` counts from the end. Undefined when the text is not a path. */
export function parsePath(text: string): string[] | undefined {
  if (!/^[$\p{L}_][^\s[\].]*(\.[^\s[\].]+|\[-?\d+\])*$/u.test(text)) return undefined;
  return text
    .replaceAll(/\[(-?\d+)\]/g, ".$1")
    .split(".")
    .filter((name) => name !== "");
}

/** Field hint: the text may hold `{{ … }}`. */
export const templated = { template: true } as const;

export type RenderOptions = {
  /** Called for each reference without a value; it renders as nothing. */
  onUnknown: (source: string) => void;
  /**
   * Encodes a referenced value for its place: after `before`, or undefined if the template begins with it. Default: as
   * text.
   */
  encode?: (value: Json, before: string | undefined) => string;
};

/** Resolves the references of a text. A text that is just one reference keeps the value's type. */
export function renderTemplate(text: string, scope: TemplateScope, options: RenderOptions): Json {
  const parts = parseTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "reference" && !options.encode) return readValue(only, scope, options);
  let rendered: string | undefined;
  for (const part of parts) {
    const piece =
      part.kind === "text" ? part.text : (options.encode ?? toText)(readValue(part, scope, options), rendered);
    rendered = (rendered ?? "") + piece;
  }
  return rendered ?? "";
}

/** Formats a value for use inside a sentence: text as it is, nothing for null, data as JSON. */
export function toText(value: Json): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function readValue(part: Reference, scope: TemplateScope, options: RenderOptions): Json {
  const value = resolveReference(part.path, scope);
  if (value !== undefined) return value;
  options.onUnknown(part.source);
  return "";
}

/** Values that references read. Values are data: they are never parsed as templates again. */
export type TemplateScope = {
  /** Value of a root such as `question`, `$form`, `$vars`, `$flow`; undefined if unknown. */
  root(name: string): Json | undefined;
  /** Output of an already completed node, and the value of a bare `{{ nodeId }}`. */
  node(nodeId: string): { output: Json; text: Json } | undefined;
};

/** Roots that exist in every flow; `$iteration` only inside the items of a sub-flow. `$openBraces` is `{{`. */
export const templateRoots = [
  "question",
  "chat_history",
  "current_date_time",
  "runtime_messages_length",
  "loop_count",
  "file_attachment",
  "$form",
  "$webhook",
  "$flow",
  "$vars",
  "$iteration",
  "$openBraces",
] as const;

/** Escapes a text so that it renders as itself: two braces that would open a reference become one to them. */
export function toLiteral(text: string): string {
  return text.replaceAll("{{", "{{ $openBraces }}");
}

/** Reads a path; undefined if any part of it is missing. */
function resolveReference(path: readonly string[], scope: TemplateScope): Json | undefined {
  const [first = "", ...rest] = path;
  if (first === "$openBraces") return "{{";
  const root = scope.root(first);
  if (root !== undefined) return readPath(root, rest);
  const node = scope.node(first);
  if (!node) return undefined;
  if (rest.length === 0) return node.text;
  if (rest[0] === "output") return readPath(node.output, rest.slice(1));
  return readPath(node.output, rest);
}

function readPath(value: Json, path: readonly string[]): Json | undefined {
  let current: Json | undefined = value;
  for (const name of path) {
    if (current === null || typeof current !== "object") return undefined;
    current = Array.isArray(current) ? entryAt(current, Number(name)) : ownValue(current, name);
    if (current === undefined) return undefined;
  }
  return current;
}

function entryAt(list: readonly Json[], index: number): Json | undefined {
  return Number.isInteger(index) ? list.at(index) : undefined;
}

function ownValue(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Encodes a value for the place in a URL that follows `before`: one path segment, one query value or one fragment. If
 * the template begins with it (`before` is undefined) it is not encoded: the flow's author lets the value name the
 * address. Throws `flow-node-failed` for `.` and `..` in a path, which would escape their segment.
 */
export function encodeForUrl(value: Json, before: string | undefined): string {
  const text = toText(value);
  if (before === undefined) return text;
  if (!before.includes("?") && isDotSegment(text)) {
    throw new WeftError("flow-node-failed", { params: { reason: `A path segment of a URL must not be "${text}".` } });
  }
  return encodeURIComponent(text.toWellFormed());
}

function isDotSegment(text: string): boolean {
  return text === "." || text === "..";
}

/**
 * Resolves the references of a JSON text and returns the value. The text is parsed before values are inserted, so a
 * value can neither end its string nor add a key. A reference outside quotes, or alone inside them, keeps its type.
 * Throws `flow-node-failed` if the text is not JSON, or nested too deeply.
 */
export function renderJson(text: string, scope: TemplateScope, options: RenderOptions): Json {
  let parsed: Json;
  try {
    parsed = JSON.parse(quoteBareReferences(text));
  } catch (error) {
    throw new WeftError("flow-node-failed", {
      params: { reason: `The JSON body is not valid JSON: ${(error as Error).message}` },
      cause: error,
    });
  }
  if (isDeeperThan(parsed, maxJsonDepth)) {
    const reason = `The JSON body is nested more than ${maxJsonDepth} levels deep. Flatten it.`;
    throw new WeftError("flow-node-failed", { params: { reason } });
  }
  return renderValue(parsed, scope, options);
}

function renderValue(value: Json, scope: TemplateScope, options: RenderOptions): Json {
  if (typeof value === "string") return renderTemplate(value, scope, options);
  if (Array.isArray(value)) return value.map((item) => renderValue(item, scope, options));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, item]) => [key, renderValue(item, scope, options)] as const);
  return Object.fromEntries(entries);
}

/** Quotes references outside JSON strings. An unterminated one extends to the end of the text. */
function quoteBareReferences(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"?|\{\{[^{}]*\}\}/gs, (token) =>
    token.startsWith('"') ? token : JSON.stringify(token),
  );
}
