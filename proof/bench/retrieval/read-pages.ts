import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPageParser, decodePage, findMainContent, toMarkdown } from "@weft/knowledge/html";

/** A page by the name of its file, as Markdown. */
export type DocumentationPage = { name: string; text: string };

/**
 * The pages of a manual that are searched, as the web loader reads them, but with links as their text alone: what they lead
 * to is not there. They are listed by name in `questions/`, so a change of how HTML is read changes no choice of pages.
 */
export function readPages(manual: string, folder: string): DocumentationPage[] {
  const list = readFileSync(new URL(`./questions/${manual}/pages.txt`, import.meta.url), "utf8");
  return list
    .trim()
    .split("\n")
    .map((name) => ({ name, text: readPage(join(folder, `${name}.html`)) }));
}

function readPage(file: string): string {
  const parser = createPageParser();
  parser.write(decodePage(readFileSync(file), ""));
  const page = parser.end();
  if (page === "too-deep") throw new Error(`${file} cannot be read: its elements are nested too deeply.`);
  const { element, omit } = findMainContent(page.root);
  return toMarkdown(element, { omit }).trim();
}
