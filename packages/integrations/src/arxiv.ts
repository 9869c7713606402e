import { z } from "zod";
import { toPlainText } from "./calls/plain-text.ts";
import { defineIntegration } from "./define-integration.ts";
import { createReadingTool, readingFields } from "./reading-tool.ts";

const config = z.object(readingFields("arxiv_search"));

/**
 * Lets the model find scientific papers and read their abstracts. Needs no key.
 * Source: info.arxiv.org/help/api/user-manual.html, 3.1 (queries) and 3.3 (the Atom feed).
 */
export const arxiv = defineIntegration({
  type: "arxiv",
  title: "arXiv",
  summary: "Finds scientific papers and reads their abstracts.",
  group: "built-in",
  icon: "search",
  config,
  build: (settings) => [
    createReadingTool(settings, {
      name: "arxiv_search",
      description:
        "Finds papers on arXiv by words, or by their arXiv ids. Returns titles, authors, dates, addresses and abstracts.",
      baseUrl: "https://export.arxiv.org",
      accept: "application/atom+xml",
      toPath: (query) => `/api/query?${toQuery(query, settings.maxResults)}`,
      parse: readFeed,
    }),
  ],
});

const paperIds = /^(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?\/\d{7})(v\d+)?([,\s]+|$)/;

/** Looks up ids; keeps a query in the service's syntax unchanged; for others, requires every word. */
function toQuery(query: string, count: number): URLSearchParams {
  const limits = { start: "0", max_results: String(count) };
  const words = query.split(/[\s,]+/).filter((word) => word !== "");
  if (words.every((word) => paperIds.test(word))) return new URLSearchParams({ id_list: words.join(","), ...limits });
  const isOwn = /\b(ti|au|abs|co|jr|cat|rn|id|all):\S/.test(query);
  const plain = words.map((word) => word.replaceAll(/["()]/g, "")).filter((word) => word !== "");
  const search = isOwn ? query : plain.map((word) => `all:${word}`).join(" AND ");
  return new URLSearchParams({ search_query: search, sortBy: "relevance", ...limits });
}

function readFeed(xml: string): string[] | undefined {
  if (!/<feed\b/.test(xml)) return undefined;
  return [...contentsOf(xml, "entry")].map(toParagraph);
}

function toParagraph(entry: string, index: number): string {
  const [title = "", published = "", id = "", summary = ""] = ["title", "published", "id", "summary"].map(
    (tag) => elementsOf(entry, tag)[0] ?? "",
  );
  const authors = elementsOf(entry, "name");
  const named = [authors.slice(0, maxAuthors).join(", "), ...(authors.length > maxAuthors ? ["and others"] : [])];
  return [`${index + 1}. ${title}`, `${named.join(" ")}, ${published.slice(0, 10)}`, id, summary].join("\n");
}

const maxAuthors = 10;

function elementsOf(xml: string, tag: string): string[] {
  return [...contentsOf(xml, tag)].map(toPlainText);
}

/** The contents of all elements of a tag, which are not nested. */
function* contentsOf(xml: string, tag: string): Generator<string> {
  // linear: a tag starts with a bracket, which it cannot contain
  const begin = new RegExp(`<${tag}\\b[^<>]*>`, "g");
  const end = `</${tag}>`;
  while (begin.exec(xml) !== null) {
    const start = begin.lastIndex;
    const close = xml.indexOf(end, start);
    if (close < 0) return;
    yield xml.slice(start, close);
    begin.lastIndex = close + end.length;
  }
}
