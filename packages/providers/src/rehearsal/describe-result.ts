import type { Json } from "@weft/schema";
import { findAction } from "./words.ts";

type Result = { toolName: string; content: string; isError?: boolean };
const leads = { create: "Created", read: "Found", update: "Updated", delete: "Deleted" };

/** A tool's result in a sentence. `action`: what the tool does, if not what its name says. */
export function describeResult({ toolName, content, isError }: Result, action = findAction(toolName)): string {
  if (isError === true) return `The tool ${toolName} failed: ${content}`;
  const lead = leads[action ?? "read"];
  const value = parseJson(content) ?? content;
  if (!Array.isArray(value)) return `${lead}: ${describe(value)}`;
  const items = value.map((item, index) => ` ${index + 1}. ${describe(item)}`);
  return `${lead} ${items.length} item${items.length === 1 ? "" : "s"}.${items.join(";")}`;
}

function describe(value: Json): string {
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(describe).join(", ");
  const { name, ...details } = value;
  const listed = Object.entries(details).map(([key, field]) => `${key} ${describe(field)}`);
  return name === undefined ? listed.join(", ") : `${describe(name)} (${listed.join(", ")})`;
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
