import type { ModelTool } from "@weft/engine";
import type { Json } from "@weft/schema";
import { toolAction } from "./tool-shape.ts";

const maxCharacters = 4_000;
const lead = { create: "Created", read: "Found", update: "Updated", delete: "Deleted" };

type Result = { toolName: string; content: string; isError?: boolean };

/** A tool's result in a sentence. The tool may be one that is no longer offered. */
export function describeResult({ toolName, content, isError }: Result, tools: readonly ModelTool[]): string {
  const tool = tools.find(({ name }) => name === toolName) ?? { name: toolName, description: "", parameters: {} };
  const action = lead[toolAction(tool) ?? "read"];
  const value = isError === true ? undefined : parseJson(content);
  if (isError === true) return `The tool ${toolName} failed: ${content}`.slice(0, maxCharacters);
  if (!Array.isArray(value)) return `${action}: ${describe(value ?? content)}`.slice(0, maxCharacters);
  const items = value.map((item, index) => `${index + 1}. ${describe(item)}`);
  return `${action} ${items.length} item${items.length === 1 ? "" : "s"}. ${items.join("; ")}`
    .slice(0, maxCharacters)
    .trim();
}

function describe(value: Json): string {
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(describe).join(", ");
  const { name, ...details } = value;
  const listed = Object.entries(details).map(([key, field]) => `${key} ${describe(field)}`);
  return name === undefined ? listed.join(", ") : `${describe(name)} (${listed.join(", ")})`;
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
