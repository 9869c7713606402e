import { parseJson } from "@weft/schema";
import { z } from "zod";
import { defineIntegration } from "./define-integration.ts";
import { createReadingTool, readingFields } from "./reading-tool.ts";

const config = z.object({
  language: z
    .string()
    .trim()
    .regex(/^[a-z][a-z-]{1,20}$/, "Enter the code of a language, for example en")
    .default("en")
    .meta({ title: "Language", help: "The code of the Wikipedia to search, for example en, de or fr." }),
  ...readingFields("wikipedia"),
});

/**
 * Lets the model find articles and read their introductions. Needs no key. Source: www.mediawiki.org/wiki/API:Search
 * and Extension:TextExtracts#API.
 */
export const wikipedia = defineIntegration({
  type: "wikipedia",
  title: "Wikipedia",
  summary: "Finds articles and reads how they begin.",
  group: "built-in",
  icon: "search",
  config,
  build: (settings) => [
    createReadingTool(settings, {
      name: "wikipedia",
      description: "Finds articles of Wikipedia. Returns titles, addresses and introductions of the best ones.",
      baseUrl: `https://${settings.language}.wikipedia.org`,
      accept: "application/json",
      toPath: (query) => `/w/api.php?${toQuery(query, settings.maxResults)}`,
      parse: readPages,
    }),
  ],
});

function toQuery(query: string, count: number): URLSearchParams {
  return new URLSearchParams({
    action: "query",
    format: "json",
    formatversion: "2",
    generator: "search",
    gsrsearch: query,
    gsrlimit: String(count),
    prop: "extracts|info",
    inprop: "url",
    exintro: "1",
    explaintext: "1",
    exlimit: "max",
  });
}

/** Without hits the response has no `query`. Errors have status 200. */
const answerSchema = z
  .object({
    batchcomplete: z.boolean().optional(),
    error: z.never().optional(),
    query: z
      .object({
        pages: z.array(
          z.object({ title: z.string(), index: z.number(), fullurl: z.string(), extract: z.string().nullish() }),
        ),
      })
      .optional(),
  })
  .refine(({ batchcomplete, query }) => batchcomplete !== undefined || query !== undefined);

function readPages(answer: string): string[] | undefined {
  const parsed = answerSchema.safeParse(parseJson(answer));
  if (!parsed.success) return undefined;
  const pages = [...(parsed.data.query?.pages ?? [])].sort((left, right) => left.index - right.index);
  return pages.map(({ title, fullurl, extract }, index) =>
    [`${index + 1}. ${title}`, fullurl, extract?.trim() ?? ""].filter((line) => line !== "").join("\n"),
  );
}
