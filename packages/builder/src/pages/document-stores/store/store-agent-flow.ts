import type { StoreView } from "../../../api/document-store-view.ts";

/** A flow of one agent node that searches a store. `description` tells the model when. */
export function storeAgentFlow({ id, name }: Pick<StoreView, "id" | "name">, description: string): string {
  const knowledge = [{ storeId: id, name: searchToolName(name), description }];
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", version: 1, label: "Start", position: { x: 0, y: 0 }, config: {} },
      { id: "agent_0", type: "agent", version: 1, label: "Agent", position: { x: 280, y: 0 }, config: { knowledge } },
    ],
    edges: [{ id: "start_0-agent_0", source: "start_0", sourcePort: "out", target: "agent_0" }],
  });
}

/** How the model calls the search of a store: letters, digits and _, at most 64. */
export function searchToolName(storeName: string): string {
  const words = storeName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return `search_${(words ?? ["documents"]).join("_")}`.slice(0, 64);
}
