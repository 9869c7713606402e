import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import {
  type ActionRequest,
  ArgumentError,
  bodyOf,
  choice,
  count,
  defineVendor,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";
import { itemsAt, pick, type Shape, showItem, textAt, valueAt } from "./vendor-answer.ts";

const pageId = text("Id of the page, as search lists it.", 100);
const limit = count("How many to list. Default 20.", 100);
const cursor = text("Where the next part starts: the next of the last answer.", 200);
const content = text("The text. Each line is a paragraph; # starts a heading, - an item of a list.", 20_000);

/** The API version of these requests. */
const headers = { "notion-version": "2022-06-28" };

const send = (method: ActionRequest["method"], path: string, body: JsonObject): ActionRequest => ({
  method,
  path,
  headers,
  body,
});
const childrenOf = (id: Json | undefined, from: Json | undefined): ActionRequest => ({
  method: "GET",
  path: `/blocks/${segment(id)}/children`,
  query: { page_size: 100, start_cursor: from },
  headers,
});

/** Where the value of a property is, by its type; those of other types are left out. */
const propertyPaths: Readonly<Record<string, string>> = {
  number: "number",
  select: "select.name",
  status: "status.name",
  multi_select: "multi_select.*.name",
  date: "date.start",
  people: "people.*.name",
  checkbox: "checkbox",
  url: "url",
  email: "email",
  phone_number: "phone_number",
  relation: "relation.*.id",
  created_time: "created_time",
  last_edited_time: "last_edited_time",
  unique_id: "unique_id.number",
};

function fromProperty(property: JsonObject): Json | undefined {
  const type = textAt(property, "type") ?? "";
  if (type === "title" || type === "rich_text") return fromRichText(property[type]).slice(0, 1_000).toWellFormed();
  const computed = type === "formula" ? textAt(property, "formula.type") : undefined;
  if (computed !== undefined) return pick(property, { value: `formula.${computed}` }).value;
  const path = Object.hasOwn(propertyPaths, type) ? propertyPaths[type] : undefined;
  return path === undefined ? undefined : pick(property, { value: path }).value;
}

/** A page or database: its id, address and properties, the title among them. */
function fromItem(item: JsonObject): JsonObject {
  const properties = isJsonObject(item.properties) ? Object.entries(item.properties).slice(0, 50) : [];
  const values = properties.flatMap(([name, property]) => {
    const value = isJsonObject(property) ? fromProperty(property) : undefined;
    return value === undefined || value === "" ? [] : [[name.slice(0, 100), value] as const];
  });
  const isDatabase = item.object === "database";
  return bodyOf({
    id: textAt(item, "id"),
    type: textAt(item, "object"),
    url: textAt(item, "url"),
    title: fromRichText(item.title).slice(0, 500).toWellFormed(),
    properties: isDatabase ? properties.map(([name]) => name.slice(0, 100)) : Object.fromEntries(values),
  });
}

function showItems(answer: Json): string | undefined {
  const items = itemsAt(answer, "results")?.map(fromItem);
  return items && JSON.stringify({ items, ...bodyOf({ next: textAt(answer, "next_cursor") }) });
}

const place: Shape = { id: "id", url: "url" };

const actions: Record<string, VendorAction> = {
  search: {
    description: "Searches for pages and databases by their titles. They are those shared with the integration.",
    effect: "read",
    parameters: {
      query: text("Words of the title. Default everything, newest first.", 500),
      type: choice("Only those.", ["page", "database"]),
      limit,
      cursor,
    },
    required: [],
    toRequest: ({ query, type, limit: most = 20, cursor: from }) => {
      const filter = type === undefined ? undefined : { property: "object", value: type };
      return send("POST", "/search", bodyOf({ query, filter, page_size: most, start_cursor: from }));
    },
    toText: showItems,
  },
  readPage: {
    description: "Reads a page as text, with its properties.",
    effect: "read",
    parameters: { pageId, cursor },
    required: ["pageId"],
    toRequest: (args) => ({ method: "GET", path: `/pages/${segment(args.pageId)}`, headers }),
    toNext: (_page, args) => childrenOf(args.pageId, args.cursor),
    toText: (page, { next }) =>
      isJsonObject(page) && page.object === "page"
        ? `${JSON.stringify(fromItem(page))}\n\n${fromBlocks(next) ?? ""}`
        : undefined,
  },
  readBlock: {
    description: "Reads what is inside a block of a page, as text.",
    effect: "read",
    parameters: { blockId: text("Id of the block, as read_page shows it.", 100), cursor },
    required: ["blockId"],
    toRequest: (args) => childrenOf(args.blockId, args.cursor),
    toText: fromBlocks,
  },
  queryDatabase: {
    description: "Lists the pages of a database, with their properties.",
    effect: "read",
    parameters: {
      databaseId: text("Id of the database, as search lists it.", 100),
      filter: {
        type: "object",
        description:
          'A filter of the Notion API by properties, such as {"property":"Status","status":{"equals":"Done"}}.',
      },
      limit,
      cursor,
    },
    required: ["databaseId"],
    toRequest: ({ databaseId, filter, limit: most = 20, cursor: from }) =>
      send("POST", `/databases/${segment(databaseId)}/query`, bodyOf({ filter, page_size: most, start_cursor: from })),
    toText: showItems,
  },
  createPage: {
    description: "Creates a page in another page or in a database.",
    effect: "write",
    parameters: {
      parentId: text("Id of the page or database to create it in.", 100),
      parentType: choice("What the parent is. Default page.", ["page", "database"]),
      title: text("The title.", 1_000),
      content,
      properties: {
        type: "object",
        description:
          'In a database: further properties as the Notion API takes them, such as {"Status":{"status":{"name":"Done"}}}.',
      },
    },
    required: ["parentId", "title"],
    toRequest: ({ parentId, parentType = "page", title, content: lines, properties }) =>
      send("POST", "/pages", {
        parent: { [`${String(parentType)}_id`]: String(parentId) },
        // The title's property has this id, whatever it is called.
        properties: { ...(isJsonObject(properties) && properties), title: { title: toRichText(String(title)) } },
        children: toBlocks(lines),
      }),
    toText: (answer) => showItem(answer, place),
  },
  appendText: {
    description: "Adds text at the end of a page.",
    effect: "write",
    parameters: { pageId, content },
    required: ["pageId", "content"],
    toRequest: (args) =>
      send("PATCH", `/blocks/${segment(args.pageId)}/children`, { children: toBlocks(args.content) }),
    toText: () => "The text was added.",
  },
};

/** Pages that are shared with an integration. Source: developers.notion.com/reference. */
export const notion = defineVendor({
  type: "notion",
  title: "Notion",
  summary: "Finds, reads and creates pages, adds text to them and queries databases.",
  icon: "toolkit",
  prefix: "notion",
  address: { url: "https://api.notion.com/v1" },
  signIn: withHeadersOf("a Notion credential with the secret of an integration"),
  actions,
});

const pieceLength = 1_900;
const maxBlocks = 100;

/**
 * Converts text to blocks, one for each line that is not empty. Notion takes at most 100 of them, of pieces of 2,000
 * characters. Throws `ArgumentError` for more. Source: developers.notion.com/reference/block, "Request limits".
 */
function toBlocks(value: Json | undefined): JsonObject[] {
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

function toRichText(line: string): JsonObject[] {
  const pieces: JsonObject[] = [];
  for (let start = 0; start < line.length; ) {
    const piece = line.slice(start, start + pieceLength);
    const whole = piece.isWellFormed() ? piece : piece.slice(0, -1) || piece;
    pieces.push({ type: "text", text: { content: whole } });
    start += whole.length;
  }
  return pieces;
}

function fromRichText(parts: Json | undefined): string {
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
function fromBlocks(answer: Json | undefined): string | undefined {
  const blocks = itemsAt(answer, "results");
  if (blocks === undefined) return undefined;
  const next = textAt(answer, "next_cursor");
  const rest = next === undefined ? [] : [`[More follows: call again with cursor ${next}]`];
  return [...blocks.map(fromBlock), ...rest].join("\n") || "It is empty.";
}
