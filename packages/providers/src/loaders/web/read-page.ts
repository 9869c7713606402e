import { setImmediate as nextTurn } from "node:timers/promises";
import type { HttpResponse, LoadedPart, LoaderServices } from "@weft/engine";
import {
  createPageParser,
  findMainContent,
  type Page,
  type PageElement,
  selectElements,
  toMarkdown,
} from "@weft/knowledge";
import { WeftError } from "@weft/schema";
import { unreadable } from "../file/index.ts";
import type { PageSettings } from "./request-fields.ts";

type DocumentPart = LoadedPart & { type: "document" };

/** What an address answered: its documents and, of an HTML page, the page. */
export type ReadAnswer = { parts: DocumentPart[]; page?: Page };

/** Whether it is a page to be read as HTML. */
export function isHtml({ headers, body }: HttpResponse): boolean {
  const type = headers["content-type"] ?? "";
  if (type !== "") return /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);
  return /^\s*<(!doctype html|html|head|body)\b/i.test(new TextDecoder("latin1").decode(body.subarray(0, 500)));
}

/**
 * The text of what an address answered: of HTML as Markdown, of any other format as of a file.
 * Rejects with `document-unreadable` or `document-unsupported`.
 */
export async function readAnswer(
  source: string,
  response: HttpResponse,
  context: { settings: PageSettings; services: LoaderServices; signal: AbortSignal },
): Promise<ReadAnswer> {
  if (!isHtml(response)) return { parts: await readFileAnswer(source, response, context) };
  const html = decodePage(response.body, response.headers["content-type"] ?? "");
  const page = await parseHtml(source, html);
  const text = toPageText(source, page, { ...context.settings, baseUrl: response.url });
  if (text.trim() === "") {
    throw unreadable(source, "the page has no text; it may be made by scripts, which are not run");
  }
  const metadata = { source, ...(page.title && { title: page.title }) };
  return { parts: [{ type: "document", source, text, metadata }], page };
}

function toPageText(source: string, { root }: Page, settings: PageSettings & { baseUrl: string }): string {
  const { baseUrl, selector } = settings;
  if (selector !== undefined) {
    const elements = selectElements(root, selector);
    if (elements === undefined) throw badSelector(selector);
    if (elements.length === 0)
      throw unreadable(source, `nothing on the page is like ${selector}; correct the selector`);
    return elements.map((element) => renderAlone(element, baseUrl)).join("\n\n");
  }
  if (!settings.mainContent) return toMarkdown(root, { baseUrl });
  const { element, omit } = findMainContent(root);
  return toMarkdown(element, { omit, baseUrl });
}

/** An element as the only one of a page, so that a heading is shown as one. */
function renderAlone(element: PageElement, baseUrl: string): string {
  const root: PageElement = {
    tag: "div",
    attributes: {},
    parent: undefined,
    children: [element],
    hasBlocks: true,
    hasTables: true,
  };
  return toMarkdown(root, { baseUrl });
}

function badSelector(selector: string): WeftError {
  const reason = `The selector ${selector} is not understood. Use tags, #ids, .classes and [attributes], parted by blanks.`;
  return new WeftError("parameters-invalid", { params: { reason } });
}

async function readFileAnswer(
  source: string,
  { url, headers, body }: HttpResponse,
  { services, signal }: { services: LoaderServices; signal: AbortSignal },
): Promise<DocumentPart[]> {
  const name = decodeName(new URL(url).pathname.split("/").at(-1) ?? "");
  const mimeType = headers["content-type"];
  const content = await services.documents.read(
    { name: name || source, ...(mimeType && { mimeType }), bytes: body },
    { signal },
  );
  return content.sections.map(({ text, metadata }) => ({
    type: "document",
    source,
    text,
    metadata: { source, ...content.metadata, ...metadata },
  }));
}

function decodeName(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A page as a tree. Other work goes on in between. Rejects with `document-unreadable` for what is no page. */
async function parseHtml(url: string, html: string): Promise<Page> {
  const parser = createPageParser();
  for (let start = 0; start < html.length; start += pieceCharacters) {
    parser.write(html.slice(start, start + pieceCharacters));
    await nextTurn();
  }
  const page = parser.end();
  if (page === "too-deep") throw unreadable(url, "its elements are nested too deeply");
  return page;
}

const pieceCharacters = 64 * 1024;

/** Text of a page: in the encoding of its header, else the one that it declares, else UTF-8, else Windows-1252. */
function decodePage(bytes: Uint8Array, contentType: string): string {
  const named = /charset\s*=\s*"?([\w:-]{1,40})/i.exec(contentType)?.[1] ?? declaredEncoding(bytes);
  const decoded = named === undefined ? undefined : tryDecode(bytes, named);
  return decoded ?? tryDecode(bytes, "utf-8") ?? new TextDecoder("windows-1252").decode(bytes);
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
  return /<meta[^>]{0,200}\bcharset\s*=\s*["']?\s*([\w:-]{1,40})/i.exec(head)?.[1];
}

/** Nothing when the bytes are invalid in the encoding or it is unknown. */
function tryDecode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
