import { templateRoots } from "@weft/engine/template";
import type { Finding } from "@weft/schema";

/** Most nodes and edges of a native flow. */
const maxNodes = 2_000;
const maxEdges = 10_000;

/** What is wrong with a flow of more nodes or edges than a native one has; undefined for any other. */
export function findExcess(nodes: number, edges: number): Finding | undefined {
  if (nodes <= maxNodes && edges <= maxEdges) return undefined;
  const message = `This flow has more than ${maxNodes} nodes or ${maxEdges} edges. Divide it into several.`;
  return { level: "error", code: "flow-too-large", nodeId: null, message };
}

const reserved: ReadonlySet<string> = new Set([...templateRoots, "output"]);

/** Whether native flows permit an id, and templates can refer to it. */
export function isNativeId(id: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,199}$/.test(id) && !reserved.has(id);
}
