import type { Finding, Flow } from "@weft/schema";

/** A finding as one line: its level, its code, the label of its node and what to do. */
export function describeFinding({ level, code, nodeId, message }: Finding, { nodes }: Flow): string {
  const node = nodes.find(({ id }) => id === nodeId);
  const label = node ? node.label || node.id : (nodeId ?? "");
  const sentence = message.replace(`Node "${label}": `, "");
  return `${level.padEnd(7)}  ${code}  ${label === "" ? "" : `${label}: `}${sentence}\n`;
}
