import type { NodeType } from "@weft/client";
import type { DescribedNodeType } from "./map-answers.ts";

/** The title of a type as flows store it in the labels of new steps: that of the server, in every language. */
export function writtenTitle(type: NodeType): string {
  return (type as DescribedNodeType).writtenTitle ?? type.title;
}

/**
 * The name of a step: its label. One that its type gave it, such as "Condition 2", is shown in the reader's language; one
 * that a person wrote is shown as it is. Without a label the title of the type; empty without either.
 */
export function shownLabel(label: string, type: NodeType | undefined): string {
  if (type === undefined) return label;
  const written = writtenTitle(type);
  const number = label.startsWith(written) ? label.slice(written.length) : undefined;
  const isGiven = label === "" || (number !== undefined && /^( \d+)?$/.test(number));
  return isGiven ? `${type.title}${number ?? ""}` : label;
}
