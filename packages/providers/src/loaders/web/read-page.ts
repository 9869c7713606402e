import type { HttpResponse, LoadedPart, LoaderServices } from "@weft/engine";
import { findMainContent, type Page, type PageElement, selectElements, toMarkdown } from "@weft/knowledge";
import { WeftError } from "@weft/schema";
import { unreadable } from "../file/stored-file.ts";
import { decodePage } from "./decode-page.ts";
import { parseHtml } from "./parse-html.ts";
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
