import { defineNode } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { type Document, withoutCitation } from "@weft/schema";
import { z } from "zod";
import { filter, storeId, topK, toText } from "./knowledge.ts";
import { renderFilter } from "./render-filter.ts";

/** Searches document stores as a step of the flow. */
export const retriever = defineNode({
  type: "retriever",
  version: 1,
  title: "Retriever",
  summary: "Finds passages in document stores.",
  group: "action",
  icon: "search",
  outline: ["stores"],
  bringsData: true,
  config: z.object({
    stores: z
      .array(z.strictObject({ storeId, topK, filter }))
      .max(20)
      .default([])
      .meta({ title: "Document stores", widget: "rows", item: "document store" }),
    query: z
      .string()
      .max(200_000)
      .default("{{ question }}")
      .meta({ title: "Query", widget: "textarea", ...templated }),
    format: z
      .enum(["text", "text-with-metadata"])
      .default("text")
      .meta({
        title: "Answer",
        labels: { text: "Text", "text-with-metadata": "With metadata" },
        help: "The passages as plain text, or as JSON with their metadata.",
      }),
    returnSourceDocuments: z.boolean().default(true).meta({
      title: "Show sources",
      help: "The answer lists the passages that were found. Later steps read them either way, as output.documents where they are not shown.",
      advanced: true,
    }),
  }),
  async execute(context, config) {
    const { agentId } = context.run;
    const query = context.renderText(config.query).trim();
    const search = async (
      { storeId: id, topK: most, filter: given }: (typeof config.stores)[number],
      index: number,
    ) => {
      const wanted = renderFilter(context, given);
      if (wanted === "nothing") return [];
      const input = { query, ...(most === undefined ? {} : { topK: most }), ...(wanted && { filter: wanted }) };
      const found = await context.effect(
        { key: `store-${index}`, kind: "read", category: "retrieval", name: id, input },
        async ({ signal }) =>
          context.services.retriever.retrieve({ storeId: id, agentId, query, topK: most, filter: wanted, signal }),
      );
      return (found as Document[]).map(withoutCitation);
    };
    const documents = query === "" ? [] : (await Promise.all(config.stores.map(search))).flat();
    const content = config.format === "text" ? toText(documents) : JSON.stringify(documents);
    const found = config.returnSourceDocuments ? { sourceDocuments: documents } : { documents };
    return { type: "completed", output: { content, ...found }, text: content };
  },
});
