import { isDeepStrictEqual } from "node:util";
import type { CallToolResult } from "@modelcontextprotocol/client";

type Block = CallToolResult["content"][number];

/**
 * What a model reads of a result: its texts; a line for what is no text; and the structured content as JSON, unless one
 * of the texts says the same.
 */
export function toResultText({ content, structuredContent }: CallToolResult): string {
  const blocks = content.map(toText);
  if (structuredContent !== undefined && !blocks.some((text) => says(text, structuredContent))) {
    blocks.push(JSON.stringify(structuredContent));
  }
  return blocks.length === 0 ? "Done. The tool answered nothing." : blocks.join("\n");
}

function toText(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}: ${block.mimeType}, ${base64Bytes(block.data)} bytes, which is not shown]`;
    case "resource_link": {
      const { uri, name, description } = block;
      return `[resource: ${uri} (${[name, description].filter((text) => text !== undefined && text !== "").join(": ")})]`;
    }
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return `[resource: ${resource.uri}]\n${resource.text}`;
      const type = resource.mimeType ?? "unknown type";
      return `[resource: ${resource.uri}, ${type}, ${base64Bytes(resource.blob)} bytes, which is not shown]`;
    }
    default:
      return "[content of a kind that is not shown]";
  }
}

/** Bytes that a base64 text stands for. */
function base64Bytes(text: string): number {
  return Math.floor((text.replace(/=+$/, "").length * 3) / 4);
}

function says(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}
