import { Parser } from "htmlparser2";
import { decodeText, htmlCharset } from "../decode-text.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { maxDepth, tooDeep, Unreadable } from "../unreadable.ts";
import { createPageText } from "./page-text.ts";

/** What a reader of the page reads: headings, paragraphs, items of lists, rows of tables; no scripts and styles. */
export function readHtml({ bytes, budget }: ReadContext): ReadResult {
  const page = createPageText(budget);
  let skipped = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag(name) {
      depth += 1;
      if (depth > maxDepth) throw new Unreadable(tooDeep);
      if (skipped > 0 || unread.has(name)) skipped += 1;
      else page.open(name);
    },
    onclosetag(name) {
      depth -= 1;
      if (skipped > 0) skipped -= 1;
      else page.close(name);
    },
    ontext(text) {
      if (skipped === 0) page.text(text);
    },
  });
  const html = decodeText(bytes, htmlCharset);
  for (let start = 0; start < html.length; start += pieceCharacters) {
    parser.write(html.slice(start, start + pieceCharacters));
  }
  parser.end();
  return { sections: [{ text: page.toText(), metadata: {} }], title: page.title() };
}

/** Text is worked on in pieces no longer than this. */
const pieceCharacters = 64 * 1024;

const unread = new Set(["script", "style", "template", "noscript", "iframe", "svg"]);
