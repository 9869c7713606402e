import { templateRoots } from "@weft/engine/template";
import type { Finding } from "@weft/schema";
import { toImportError } from "./import-error.ts";

/** Most nodes and edges of a native flow. */
const maxNodes = 2_000;
const maxEdges = 10_000;

/** What is wrong with a flow of more nodes or edges than a native one has; undefined for any other. */
export function findExcess(nodes: number, edges: number): Finding | undefined {
  if (nodes <= maxNodes && edges <= maxEdges) return undefined;
  const message = `This flow has more than ${maxNodes} nodes or ${maxEdges} edges. Divide it into several.`;
  return toImportError("flow-too-large", message);
}

const reserved: ReadonlySet<string> = new Set([...templateRoots, "output"]);

/** Whether native flows permit an id, and templates can refer to it. */
export function isNativeId(id: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,199}$/.test(id) && !reserved.has(id);
}

/** Ids that native flows permit and texts can refer to, by foreign id. An id that is one already stays. */
export function toNativeIds(foreignIds: readonly string[]): ReadonlyMap<string, string> {
  const ids = new Map(foreignIds.filter(isNativeId).map((id) => [id, id]));
  const taken = new Set<string>(ids.keys());
  for (const id of foreignIds) {
    if (ids.has(id)) continue;
    const plain = `node_${id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 150)}`;
    const candidate = toUnusedId(plain, taken);
    taken.add(candidate);
    ids.set(id, candidate);
  }
  return ids;
}

/** The id itself, or with the first number behind it that makes it new. */
export function toUnusedId(base: string, taken: Pick<ReadonlySet<string>, "has">): string {
  let id = base;
  for (let number = 2; taken.has(id); number += 1) id = `${base}_${number}`;
  return id;
}
