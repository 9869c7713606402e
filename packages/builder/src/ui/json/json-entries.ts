import type { Json } from "@weft/client";
import { parseJson } from "@weft/schema";

/** What stands below a value: members of an object, or items of a list. */
export type JsonEntry = { name: string; path: string; value: Json };

export type JsonBranch = { [key: string]: Json } | Json[];

export function isBranch(value: Json): value is JsonBranch {
  return value !== null && typeof value === "object";
}

export function sizeOf(value: JsonBranch): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** The first entries of a value, `limit` at most. Of a long list no more than these are made. */
export function entriesOf(value: JsonBranch, path: string, limit = Number.POSITIVE_INFINITY): JsonEntry[] {
  if (Array.isArray(value)) {
    return value
      .slice(0, limit)
      .map((item, index) => ({ name: String(index), path: `${path}[${index}]`, value: item }));
  }
  return Object.keys(value)
    .slice(0, limit)
    .map((name) => ({ name, path: memberPath(path, name), value: value[name] ?? null }));
}

/** As templates write paths; a name that they cannot write stands in brackets and quotation marks. */
function memberPath(path: string, name: string): string {
  if (!/^[\p{L}\p{N}_$-]+$/u.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

/** As many rows as are open at first. */
const rowsAtFirst = 40;

/** Paths of the branches that are open at first: the outer ones, as long as all of it stays short. */
export function openAtFirst(value: Json, path: string): ReadonlySet<string> {
  const open = new Set<string>();
  if (!isBranch(value)) return open;
  let rows = sizeOf(value);
  const queue: JsonEntry[] = [{ name: "", path, value }];
  open.add(path);
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
    if (!isBranch(entry.value)) continue;
    for (const child of entriesOf(entry.value, entry.path, rowsAtFirst)) {
      if (!isBranch(child.value) || rows + sizeOf(child.value) > rowsAtFirst) continue;
      rows += sizeOf(child.value);
      open.add(child.path);
      queue.push(child);
    }
  }
  return open;
}

/** Longer texts are not taken for JSON. */
const longestJson = 4_000_000;

/** The object or list that a text is as JSON; undefined where it is something else. */
export function parseBranch(text: string): JsonBranch | undefined {
  if (text.length > longestJson || !/^\s*[[{]/.test(text)) return undefined;
  const value = parseJson(text);
  return value !== undefined && isBranch(value) ? value : undefined;
}
