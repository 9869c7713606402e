import type { NodeType } from "@weft/client";

/** The field of a note's config that holds what is written on it: its first text. */
export function noteTextField(type: NodeType | undefined): string {
  const { properties = {} } = (type?.config ?? {}) as { properties?: Record<string, { type?: string }> };
  return Object.keys(properties).find((name) => properties[name]?.type === "string") ?? "text";
}
