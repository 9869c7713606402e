import { templateRoots } from "@weft/engine";
import type { ForeignNode } from "./foreign-flow.ts";

/** Ids that native flows permit and texts can refer to, by foreign id. An id that is one already stays. */
export function toNativeIds(nodes: readonly ForeignNode[]): ReadonlyMap<string, string> {
  const ids = new Map(nodes.filter(({ id }) => isNative(id)).map(({ id }) => [id, id]));
  const taken = new Set<string>(ids.keys());
  for (const { id } of nodes) {
    if (ids.has(id)) continue;
    const plain = `node_${id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 150)}`;
    let candidate = plain;
    for (let number = 2; taken.has(candidate); number += 1) candidate = `${plain}_${number}`;
    taken.add(candidate);
    ids.set(id, candidate);
  }
  return ids;
}

const reserved: ReadonlySet<string> = new Set([...templateRoots, "output"]);

function isNative(id: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,199}$/.test(id) && !reserved.has(id);
}
