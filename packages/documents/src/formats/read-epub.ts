import { posix } from "node:path";
import { xmlEncoding } from "@weft/knowledge/encoding";
import { createPageParser, findMainContent, maxPageDepth, toMarkdown } from "@weft/knowledge/html";
import { decodeText } from "../decode-text.ts";
import type { DocumentSection } from "../document.ts";
import { attributeOf, walkXml } from "../ooxml/walk-xml.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { Unreadable } from "../unreadable.ts";
import { openArchive } from "../zip/archive.ts";

/** One section per chapter, as Markdown, in book order, without the table of contents. Source: EPUB 3.3. */
export function readEpub({ bytes, limits, budget }: ReadContext): ReadResult {
  const archive = openArchive(bytes, limits);
  if (archive.read("META-INF/rights.xml") !== undefined) throw new Unreadable("it is protected against copying (DRM)");
  const main = readMainPart(archive.read("META-INF/container.xml"));
  const book = readBook(archive.read(main));
  const sections: DocumentSection[] = [];
  for (const href of book.chapters) {
    const chapter = archive.read(posix.join(posix.dirname(main), href));
    const text = chapter === undefined ? "" : budget.take(readChapter(chapter));
    if (text !== "") sections.push({ text, metadata: { chapter: sections.length + 1 } });
  }
  return { sections, title: book.title };
}

function readMainPart(container: Uint8Array | undefined): string {
  let path: string | undefined;
  walkXml(container ?? new Uint8Array(), {
    open(name, attributes) {
      if (name === "rootfile") path ??= attributeOf(attributes, "full-path");
    },
  });
  if (path === undefined) throw new Unreadable("it is no EPUB file: its main part is missing");
  return posix.normalize(path);
}

function readBook(bytes: Uint8Array | undefined): { chapters: string[]; title: string } {
  if (bytes === undefined) throw new Unreadable("it is no EPUB file: its main part is missing");
  const hrefs = new Map<string, string>();
  const chapters: string[] = [];
  let title = "";
  let isTitle = false;
  walkXml(bytes, {
    open(name, { id = "", href = "", idref = "", properties = "", "media-type": type = "" }) {
      const isContents = properties.split(/\s+/).includes("nav");
      if (name === "item" && /html/.test(type) && !isContents) hrefs.set(id, decodePath(href));
      if (name === "itemref" && hrefs.has(idref)) chapters.push(hrefs.get(idref) ?? "");
      isTitle = name === "title" && title === "";
    },
    close() {
      isTitle = false;
    },
    text(text) {
      if (isTitle) title += text;
    },
  });
  return { chapters, title };
}

function decodePath(href: string): string {
  const path = href.split("#", 1)[0] ?? "";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function readChapter(bytes: Uint8Array): string {
  const parser = createPageParser();
  parser.write(decodeText(bytes, { declared: xmlEncoding }));
  const page = parser.end();
  if (page === "too-deep") throw new Unreadable(`its elements are nested more than ${maxPageDepth} levels deep`);
  const { element, omit } = findMainContent(page.root);
  return toMarkdown(element, { omit });
}
