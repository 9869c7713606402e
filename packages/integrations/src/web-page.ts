import { setImmediate as nextTurn } from "node:timers/promises";
import type { HttpResponse } from "@weft/engine/ports/http-client";
import type { Tool, ToolContext, ToolResult } from "@weft/engine/ports/tool";
import { createPageParser, decodePage, findMainContent, isHtml, type Page, toMarkdown } from "@weft/knowledge/html";
import { type JsonObject, WeftError } from "@weft/schema";
import { z } from "zod";
import { isSuccess } from "./calls/call-http.ts";
import { callFields } from "./calls/call-settings.ts";
import { defineIntegration } from "./define-integration.ts";
import { toToolName } from "./tool-name.ts";

const config = z.object({
  name: z.string().max(200).optional().meta({
    title: "Name",
    help: "Name the model uses for this tool. If empty, read_web_page.",
    advanced: true,
  }),
  description: z.string().max(4_000).optional().meta({
    title: "Description",
    help: "Tells the model when to use it.",
    widget: "textarea",
    advanced: true,
  }),
  mainContent: z.boolean().default(true).meta({
    title: "Main content only",
    help: "Leaves out navigation, sidebars and footers.",
  }),
  maxCharacters: callFields.maxCharacters,
  maxBytes: z
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .default(2_097_152)
    .meta({ title: "Most that is read (bytes)", advanced: true }),
  timeoutMs: callFields.timeoutMs,
});
type WebPageConfig = z.infer<typeof config>;

/** Lets the model read web pages as Markdown, with their links. Does not run scripts. */
export const webPage = defineIntegration({
  type: "web-page",
  title: "Web page",
  summary: "Reads a page of the web as text.",
  group: "built-in",
  icon: "globe",
  config,
  build: (settings) => [createTool(settings)],
});

function createTool(settings: WebPageConfig): Tool {
  const { name = "", description = "" } = settings;
  return {
    name: toToolName(name, "read_web_page"),
    description:
      description.trim() ||
      "Reads a page of the web as Markdown, with its links. Give the address of the page, one at a time.",
    parameters: {
      type: "object",
      properties: {
        url: { type: "string", minLength: 1, maxLength: 2_000, description: "An http or https address." },
        from: { type: "integer", minimum: 0, description: "Where to read on in a page that was cut; default 0." },
      },
      required: ["url"],
      additionalProperties: false,
    },
    kind: "read",
    effect: "read",
    call: ({ url, from }, context) => readPage(settings, { url: String(url), from: Number(from ?? 0) }, context),
  };
}

type PageRequest = { url: string; from: number };

async function readPage(
  settings: WebPageConfig,
  { url, from }: PageRequest,
  context: ToolContext,
): Promise<ToolResult> {
  const details: JsonObject = { method: "GET", url };
  const failed = (content: string) => ({ content, isError: true, details });
  let response: HttpResponse;
  try {
    response = await context.http.request({
      method: "GET",
      url: url.trim(),
      headers: { accept: "text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.5" },
      timeoutMs: settings.timeoutMs,
      maxBytes: settings.maxBytes,
      onTooLarge: "truncate",
      signal: context.signal,
    });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof WeftError) return failed(error.message);
    throw error;
  }
  details.status = response.status;
  if (!isSuccess(response.status)) {
    return failed(`The page answered ${`${response.status} ${response.statusText}`.trim()}. Try another address.`);
  }
  const text = await textOf(response, settings.mainContent);
  if (!text.ok) return failed(text.message);
  return { content: cutFrom(text.value, { from, maxCharacters: settings.maxCharacters }), details };
}

type Read = { ok: true; value: string } | { ok: false; message: string };

const textTypes = /^\s*(text\/|application\/(.*\+)?(json|xml|yaml|x-ndjson|javascript))/i;

async function textOf(response: HttpResponse, mainContent: boolean): Promise<Read> {
  const type = response.headers["content-type"] ?? "";
  if (response.body.length === 0) return { ok: false, message: "The page is empty." };
  if (!isHtml(response)) {
    if (type !== "" && !textTypes.test(type)) {
      const shown = type.split(";")[0]?.slice(0, 100);
      return {
        ok: false,
        message: `The address leads to a file (${shown}), not to a page. This tool reads pages only.`,
      };
    }
    return { ok: true, value: decodePage(response.body, type) };
  }
  const page = await parse(decodePage(response.body, type));
  if (page === "too-deep")
    return { ok: false, message: "The page cannot be read: its elements are nested too deeply." };
  const text = toText(page, response.url, mainContent);
  if (text !== "") return { ok: true, value: text };
  return { ok: false, message: "The page has no text; it may be made by scripts, which are not run." };
}

const pieceCharacters = 64 * 1024;

/** Yields to other work. */
async function parse(html: string): Promise<Page | "too-deep"> {
  const parser = createPageParser();
  for (let start = 0; start < html.length; start += pieceCharacters) {
    parser.write(html.slice(start, start + pieceCharacters));
    await nextTurn();
  }
  return parser.end();
}

function toText({ root, title }: Page, baseUrl: string, mainContent: boolean): string {
  const { element, omit } = mainContent ? findMainContent(root) : { element: root, omit: undefined };
  const text = toMarkdown(element, { baseUrl, ...(omit && { omit }) }).trim();
  const isTitled = title === undefined || text.startsWith(`# ${title}`);
  return text === "" || isTitled ? text : `# ${title}\n\n${text}`;
}

/** Part of the text, and where to continue. */
function cutFrom(text: string, { from, maxCharacters }: { from: number; maxCharacters: number }): string {
  if (from > 0 && from >= text.length) return `The page ends at character ${text.length}.`;
  const part = text.slice(from, from + maxCharacters);
  const end = from + part.length;
  return end >= text.length
    ? part
    : `${part}\n[Cut here, at character ${end} of ${text.length}. Read on with from: ${end}.]`;
}
