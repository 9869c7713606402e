import type { Tool, ToolContext, ToolResult } from "@weft/engine/ports/tool";
import { z } from "zod";
import { callHttp, cutText } from "./calls/call-http.ts";
import { callFields } from "./calls/call-settings.ts";
import { invalidTool, toToolName } from "./tool-name.ts";

/** Settings of a tool that searches a public collection of texts. `name` is its default name. */
export const readingFields = (name: string) => ({
  name: z
    .string()
    .max(200)
    .optional()
    .meta({ title: "Name", help: `Name the model uses for this tool. If empty, ${name}.`, advanced: true }),
  description: z.string().max(4_000).optional().meta({
    title: "Description",
    help: "Tells the model when to use it.",
    widget: "textarea",
    advanced: true,
  }),
  maxResults: z.number().int().min(1).max(20).default(3).meta({ title: "Most results" }),
  maxCharacters: callFields.maxCharacters,
  baseUrl: z.string().trim().max(2_000).optional().meta({
    title: "Address",
    ref: "address",
    help: "Address of a mirror. If empty, the public service.",
    advanced: true,
  }),
  timeoutMs: callFields.timeoutMs,
});

type ReadingSettings = {
  name?: string | undefined;
  description?: string | undefined;
  maxCharacters: number;
  baseUrl?: string | undefined;
  timeoutMs: number;
};

/** A collection: its requests, and the parser of its answers. */
type Collection = {
  /** Default name and description of the tool. */
  name: string;
  description: string;
  baseUrl: string;
  accept: string;
  /** Path and query for the model's query. */
  toPath(query: string): string;
  /** One paragraph per text found; undefined if the response is not as documented. */
  parse(answer: string): string[] | undefined;
};

const maxBytes = 4_194_304;
const maxQueryCharacters = 400;

/** Throws `tool-invalid` for an invalid address. */
export function createReadingTool(settings: ReadingSettings, collection: Collection): Tool {
  const name = toToolName(settings.name ?? "", collection.name);
  const baseUrl = (settings.baseUrl || collection.baseUrl).replace(/(?<!\/)\/+$/, "");
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "") {
    throw invalidTool(name, "its address is not an absolute http or https address without a query. Correct it.");
  }
  return {
    name,
    description: settings.description?.trim() || collection.description,
    parameters: {
      type: "object",
      properties: { query: { type: "string", minLength: 1, maxLength: maxQueryCharacters } },
      required: ["query"],
      additionalProperties: false,
    },
    kind: "read",
    effect: "read",
    call: ({ query }, context) => read({ settings, collection, baseUrl }, String(query).trim(), context),
  };
}

type Reading = { settings: ReadingSettings; collection: Collection; baseUrl: string };

async function read(
  { settings, collection, baseUrl }: Reading,
  query: string,
  context: ToolContext,
): Promise<ToolResult> {
  const url = `${baseUrl}${collection.toPath(query)}`;
  const answer = await callHttp(
    { method: "GET", url, shownUrl: url, headers: { accept: collection.accept } },
    { kind: "read", timeoutMs: settings.timeoutMs, maxBytes, maxCharacters: maxBytes, retries: 2 },
    context,
  );
  if (answer.isError) return { ...answer, content: answer.content.slice(0, 2_000) };
  const found = collection.parse(answer.content);
  if (found === undefined)
    return { ...answer, content: "The service answered something else than texts.", isError: true };
  const content = found.length === 0 ? "Nothing was found. Try other words." : found.join("\n\n");
  return { ...answer, content: cutText(content, settings.maxCharacters) };
}
