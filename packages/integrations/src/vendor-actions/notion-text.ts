import type { Json, JsonObject } from "@weft/schema";
import { ArgumentError } from "./define-vendor.ts";
import { itemsAt, textAt, valueAt } from "./vendor-answer.ts";

const pieceLength = 1_900;
const maxBlocks = 100;

/**
 * Converts text to blocks, one for each line that is not empty. Notion takes at most 100 of them, of pieces of 2,000
 * characters. Throws `ArgumentError` for more. Source: developers.notion.com/reference/block, "Request limits".
 */
export function toBlocks(value: Json | undefined): JsonObject[] {
  const lines = String(value ?? "").split("\n");
  const blocks = lines.flatMap((line) => (line.trim() === "" ? [] : [toBlock(line.trim())]));
  if (blocks.length > maxBlocks) {
    throw new ArgumentError(`Nothing was called: send at most ${maxBlocks} lines at once, and append the rest.`);
  }
  return blocks;
}

function toBlock(line: string): JsonObject {
  const [, mark = "", rest = line] = /^(#{1,3}|[-*]) (.*)$/s.exec(line) ?? [];
  const type = mark.startsWith("#") ? `heading_${mark.length}` : mark === "" ? "paragraph" : "bulleted_list_item";
  return { object: "block", type, [type]: { rich_text: toRichText(rest) } };
}

export function toRichText(line: string): JsonObject[] {
  const pieces: JsonObject[] = [];
  for (let start = 0; start < line.length; ) {
    const piece = line.slice(start, start + pieceLength);
    const whole = piece.isWellFormed() ? piece : piece.slice(0, -1) || piece;
    pieces.push({ type: "text", text: { content: whole } });
    start += whole.length;
  }
  return pieces;
}

export function fromRichText(parts: Json | undefined): string {
  const texts = valueAt(parts, "*.plain_text");
  return Array.isArray(texts) ? texts.filter((part) => typeof part === "string").join("") : "";
}

/** What stands before the text of a block, by its type. */
const marks: Readonly<Record<string, string>> = {
  heading_1: "# ",
  heading_2: "## ",
  heading_3: "### ",
  bulleted_list_item: "- ",
  numbered_list_item: "1. ",
  quote: "> ",
  child_page: "Page: ",
  child_database: "Database: ",
};

/** A block as a line of text, with the id of one that has others inside. */
function fromBlock(block: JsonObject): string {
  const type = textAt(block, "type") ?? "";
  const own = valueAt(block, type);
  const cells = valueAt(own, "cells");
  const said =
    fromRichText(valueAt(own, "rich_text")) ||
    (Array.isArray(cells) ? cells.map(fromRichText).join(" | ") : "") ||
    (textAt(own, "title") ?? textAt(own, "url") ?? textAt(own, "external.url") ?? "");
  const done = type === "to_do" ? (valueAt(own, "checked") === true ? "[x] " : "[ ] ") : "";
  const hasMore = block.has_children === true || type === "child_page" || type === "child_database";
  const mark = Object.hasOwn(marks, type) ? marks[type] : "";
  const line = said === "" && done === "" ? `[${type || "block"}]` : mark + done + said;
  return hasMore ? `${line} (id ${textAt(block, "id")})` : line;
}

/** Blocks as lines of text; undefined if the answer is not a list of blocks. */
export function fromBlocks(answer: Json | undefined): string | undefined {
  const blocks = itemsAt(answer, "results");
  if (blocks === undefined) return undefined;
  const next = textAt(answer, "next_cursor");
  const rest = next === undefined ? [] : [`[More follows: call again with cursor ${next}]`];
  return [...blocks.map(fromBlock), ...rest].join("\n") || "It is empty.";
}
