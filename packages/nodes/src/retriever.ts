import { defineNode, type NodeContext } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import type { Document, Json, JsonObject, RetrievalSettings } from "@weft/schema";
import { z } from "zod";
import { filter, search, searchStores, storeId, topK, toText, usesHelperModel } from "./knowledge.ts";

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
    stores: z.array(z.strictObject({ storeId, topK, filter })).max(20).default([]).meta({
      title: "Document stores",
      help: "Searched side by side: the most relevant passages of all come first.",
      widget: "rows",
      item: "document store",
    }),
    topK: topK.meta({
      title: "Most passages of all stores",
      help: "If empty, what each store gives.",
      advanced: true,
    }),
    search,
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
  uses: ({ search: settings }) => usesHelperModel(settings, "search"),
  async execute(context, config) {
    const query = context.renderText(config.query).trim();
    const { documents, nothing = "" } = query === "" ? { documents: [] } : await searchOnce(context, config, query);
    const content = config.format === "text" ? toText(documents) || nothing : JSON.stringify(documents);
    const found = config.returnSourceDocuments ? { sourceDocuments: documents } : { documents };
    return { type: "completed", output: { content, ...found }, text: content };
  },
});

type Settings = Pick<Parameters<typeof searchStores>[1], "stores" | "topK"> & {
  search?: RetrievalSettings | undefined;
};

/** The search as one effect, whose value is the passages; if there are none, the text for a model in their place. */
async function searchOnce(context: NodeContext, { stores, topK: most, search: settings }: Settings, query: string) {
  const step = "search";
  const shown = {
    ...(most === undefined ? {} : { topK: most }),
    ...(settings && { settings: settings as JsonObject }),
    ...(stores.length === 1 ? toLimits(stores[0]) : { stores: stores.map((store) => ({ ...store })) as Json }),
  };
  const history = async () =>
    [...(await context.history(historyLength)), ...context.conversation].slice(-historyLength);
  const found = await context.effect<Json>(
    {
      key: step,
      kind: "read",
      category: "retrieval",
      name: stores.map(({ storeId: id }) => id).join(", "),
      input: { query, ...shown },
    },
    async ({ signal }): Promise<Json> => {
      const { documents, nothing } = await searchStores(context, {
        stores,
        query,
        topK: most,
        settings,
        history,
        step,
        signal,
      });
      return documents.length === 0 && nothing !== undefined ? { nothing } : documents;
    },
  );
  if (Array.isArray(found)) return { documents: found as Document[] };
  return { documents: [], nothing: String((found as JsonObject).nothing) };
}

/** Messages before the question for a model that completes it. */
const historyLength = 8;

function toLimits(store: Settings["stores"][number] | undefined): JsonObject {
  const { topK: most, filter: wanted } = store ?? {};
  return { ...(most === undefined ? {} : { topK: most }), ...(wanted && { filter: wanted }) };
}
