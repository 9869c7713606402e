import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createPageParser, decodePage, findMainContent, toMarkdown } from "@weft/knowledge/html";

/** A page by the name of its file, as Markdown. */
export type DocumentationPage = { name: string; title: string; text: string };

/** Pages that are tables of contents, or lists without an end, are asked for by nobody. */
const leastCharacters = 1_500;
const mostCharacters = 10_000;
/** Release notes, and the insides of the server and of its drivers, which few ask about. */
const beside =
  /^(release|ecpg|spi|source|tablesample|wal-for-extensions|custom|fdw|index-(api|cost|func|lock|scan|unique)|gist-|spgist-|gin-|brin-|planner-stats-d|geqo-|bki|protocol|libpq-(events|notif|misc)|catalog|view-pg|infoschema|plhandler|generic-wal|storage-|error-|nls|functions-info|sql-(create|alter|drop)(operator|conversion|language|accessmethod|opclass|opfamily|transform|textsearch|foreign|statistics|cast|aggregate|usermapping))/;
const pageCount = 330;

/** The pages of the benchmark, sorted by name. A hash of the name decides which pages are in, so every run has the same ones. */
export function readPages(folder: string): DocumentationPage[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".html") && !beside.test(name))
    .map((name) => readPage(folder, name))
    .filter(({ text }) => text.length >= leastCharacters && text.length <= mostCharacters)
    .map((page) => ({ page, place: hash("sha256", page.name) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, pageCount)
    .map(({ page }) => page)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** As the web loader reads it, but with links as their text alone: what they lead to is not there. */
function readPage(folder: string, file: string): DocumentationPage {
  const parser = createPageParser();
  parser.write(decodePage(readFileSync(join(folder, file)), ""));
  const page = parser.end();
  if (page === "too-deep") throw new Error(`${file} cannot be read: its elements are nested too deeply.`);
  const { element, omit } = findMainContent(page.root);
  return { name: file.replace(/\.html$/, ""), title: page.title ?? file, text: toMarkdown(element, { omit }).trim() };
}
