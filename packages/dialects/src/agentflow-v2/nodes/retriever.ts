import { toStore } from "../knowledge.ts";
import type { NodeConverter } from "../node-converter.ts";

export const retriever: NodeConverter = {
  type: "retriever",
  toConfig({ settings, flow, report }) {
    const stores = settings.rows("retrieverKnowledgeDocumentStores").flatMap((row) => toStore(row)?.id ?? []);
    if (stores.length === 0) report.refuse("knowledge-missing", "It has no document store. Choose one.");
    if (stores.length > 1) {
      report.warn(
        "retriever-stores",
        "It searches all its stores, where only the last one counted. Remove the others if that is what you want.",
      );
    }
    return {
      stores: stores.map((storeId) => ({ storeId })),
      query: settings.template("retrieverQuery") || flow.inputTemplate,
      format: settings.text("outputFormat") === "textWithMetadata" ? "text-with-metadata" : "text",
    };
  },
};
