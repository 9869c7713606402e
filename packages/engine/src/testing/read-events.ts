/** Ids of nodes in the order in which they began, with spaces between them. */
export function order(events: { type: string }[]): string {
  return events
    .flatMap((event) => (event.type === "node-started" && "nodeId" in event ? [event.nodeId] : []))
    .join(" ");
}

export function last<T>(list: readonly T[]): T | undefined {
  return list.at(-1);
}
