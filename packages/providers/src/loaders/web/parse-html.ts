import { setImmediate as nextTurn } from "node:timers/promises";
import { createPageParser, type Page } from "@weft/knowledge";
import { unreadable } from "../file/stored-file.ts";

/** A page as a tree. Other work goes on in between. Rejects with `document-unreadable` for what is no page. */
export async function parseHtml(url: string, html: string): Promise<Page> {
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
