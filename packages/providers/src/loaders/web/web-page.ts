import { normaliseUrl } from "@weft/knowledge";
import { z } from "zod";
import { defineLoader, toFailure } from "../define-loader.ts";
import { fetchSuccess, openExchange } from "./fetch-answer.ts";
import { readAnswer } from "./read-page.ts";
import { pageFields, requestFields, urlField } from "./request-fields.ts";

export const webPage = defineLoader({
  name: "web-page",
  title: "Web page",
  summary: "The text of a page, as Markdown, or of a file at an address.",
  group: "web",
  config: z.object({ url: urlField.meta({ title: "Address", ref: "address" }), ...pageFields, ...requestFields }),
  aliases: { names: [], keys: {} },
  sourceOf: ({ url }) => normaliseUrl(url) ?? url,
  async *load(settings, services, { signal }) {
    const source = normaliseUrl(settings.url) ?? settings.url;
    try {
      const exchange = await openExchange(source, settings, { services, signal });
      const response = await fetchSuccess({ url: source, headers: { accept: "text/html, */*;q=0.8" } }, exchange);
      yield* (await readAnswer(source, response, { settings, services, signal })).parts;
    } catch (error) {
      signal.throwIfAborted();
      yield toFailure(source, error);
    }
  },
});
