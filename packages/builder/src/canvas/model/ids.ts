import type { FlowEdge, FlowNode } from "@weft/schema";

/** An id that no node has: the type and the first free number, as in `llm_2`. */
export function newNodeId(type: string, taken: { has(id: string): boolean }): string {
  const stem = type.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  for (let number = 0; ; number += 1) {
    const id = `${stem}_${number}`;
    if (!taken.has(id)) return id;
  }
}

/** An id that no edge has, made of where the edge begins and ends. */
export function newEdgeId({ source, sourcePort, target }: Omit<FlowEdge, "id">, taken: { has(id: string): boolean }) {
  const stem = `${source}-${sourcePort}-${target}`.slice(0, 380);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(id)) return id;
  }
}

/** A label that no node has: the title itself, or with the first free number from 2. */
export function newLabel(title: string, nodes: Iterable<Pick<FlowNode, "label">>): string {
  const taken = new Set([...nodes].map(({ label }) => label));
  const stem = title.replace(/ \d+$/, "");
  for (let number = 1; ; number += 1) {
    const label = number === 1 ? stem : `${stem} ${number}`;
    if (!taken.has(label)) return label;
  }
}
