import type { Json, JsonObject } from "@weft/schema";

/** Values that references read. Values are data: they are never parsed as templates again. */
export type TemplateScope = {
  /** Value of a root such as `question`, `$form`, `$vars`, `$flow`; undefined when there is none of that name. */
  root(name: string): Json | undefined;
  /** Output of a node that completed before, and what a bare `{{ nodeId }}` reads of it. */
  node(nodeId: string): { output: Json; text: Json } | undefined;
};

/** Roots that exist in every flow; `$iteration` only inside the items of a sub-flow. */
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
] as const;

/** Reads a path; undefined when any part of it is missing. */
export function resolveReference(path: readonly string[], scope: TemplateScope): Json | undefined {
  const [first = "", ...rest] = path;
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
    current = Array.isArray(current) ? current[Number(name)] : ownValue(current, name);
    if (current === undefined) return undefined;
  }
  return current;
}

function ownValue(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
