import { isJsonObject, type Json, type JsonObject } from "@weft/schema";

/**
 * Converts text to a document: paragraphs are separated by empty lines. Source: developer.atlassian.com, Atlassian
 * Document Format.
 */
export function toDocument(text: string): JsonObject {
  const paragraphs = text.split(/\r?\n(?:[ \t]*\r?\n)+/).filter((paragraph) => paragraph.trim() !== "");
  return { type: "doc", version: 1, content: paragraphs.map(toParagraph) };
}

/** Text nodes must not be empty. */
function toParagraph(paragraph: string): JsonObject {
  const lines = paragraph.split(/\r?\n/).map((line) => (line === "" ? [] : [{ type: "text", text: line }]));
  const content = lines.flatMap((line, at) => (at === 0 ? line : [{ type: "hardBreak" }, ...line]));
  return { type: "paragraph", content };
}

export function isDocument(value: Json): value is JsonObject & { content: Json[] } {
  return isJsonObject(value) && value.type === "doc" && Array.isArray(value.content);
}

const inline = new Set<Json | undefined>(["text", "hardBreak", "mention", "emoji", "inlineCard", "date", "status"]);

/** The texts of a document, one line per block. */
export function fromDocument({ content }: { content: Json[] }): string {
  return textOf(content)
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function textOf(nodes: Json | undefined): string {
  if (!Array.isArray(nodes)) return "";
  return nodes.filter(isJsonObject).map(nodeText).join("");
}

function nodeText({ type, text, attrs, content }: JsonObject): string {
  if (type === "hardBreak") return "\n";
  if (!inline.has(type)) return `${textOf(content)}\n`;
  const values = isJsonObject(attrs) ? [attrs.text, attrs.shortName, attrs.url] : [];
  return String(text ?? values.find((value) => typeof value === "string") ?? "");
}
