import { type JsonObject, toOwnStoreReference } from "@weft/schema";
import { describeOwnStore, type StorePart, takeFilter } from "../own-stores/index.ts";
import type { NodeScope } from "./node-converter.ts";
import type { Settings } from "./settings.ts";

export type StoreReference = { id: string; name: string };

/** The document stores that an agent may search; nothing when it has none. */
export function toKnowledge(scope: NodeScope): JsonObject {
  const { settings } = scope;
  const stored = settings.rows("agentKnowledgeDocumentStores").flatMap((row) => {
    const store = toStore(row);
    if (store === undefined) return [];
    const description = row.text("docStoreDescription");
    const returnSourceDocuments = row.flag("returnSourceDocuments");
    return [{ storeId: store.id, name: toToolName(store), description, returnSourceDocuments }];
  });
  const own = settings.rows("agentKnowledgeVSEmbeddings").flatMap((row, index) => toOwnKnowledge(scope, row, index));
  const knowledge = [...stored, ...own];
  return knowledge.length === 0 ? {} : { knowledge };
}

/** A vector store and an embedding model that the agent names itself: a document store of its own takes their place. */
function toOwnKnowledge({ id, report, keepStore }: NodeScope, row: Settings, index: number): JsonObject[] {
  const vectorStore = row.text("vectorStore");
  if (vectorStore === "") return [];
  const embeddingModel = row.text("embeddingModel");
  const name = row.text("knowledgeName").trim();
  const config = row.group("vectorStoreConfig");
  const { part, filter } = takeFilter(toPart(vectorStore, config, name), config);
  const store = describeOwnStore(
    {
      key: index === 0 ? id : `${id}_${index + 1}`,
      store: part,
      embeddings: embeddingModel === "" ? undefined : toPart(embeddingModel, row.group("embeddingModelConfig")),
      documents: [],
    },
    report.warn,
  );
  keepStore(store);
  const topK = config.number("topK");
  return [
    {
      storeId: toOwnStoreReference(store),
      name: toToolName({ id: store.key, name: name || vectorStore }),
      description: row.text("knowledgeDescription").slice(0, 4_000),
      ...(filter && { filter }),
      ...(topK !== undefined && topK >= 1 && { topK: Math.min(100, Math.floor(topK)) }),
      returnSourceDocuments: row.flag("returnSourceDocuments"),
    },
  ];
}

function toPart(name: string, config: Settings, label = name): StorePart {
  const inputs = Object.fromEntries(config.keys().map((key) => [key, config.text(key)]));
  return { name, label: label || name, inputs };
}

/** A store is named as `<id>:<name>`. */
export function toStore(row: Settings): StoreReference | undefined {
  const text = row.text("documentStore");
  const [id = ""] = text.split(":", 1);
  return id === "" ? undefined : { id, name: text.slice(id.length + 1) };
}

/** How the model calls the store: what its name has of letters, digits, `_` and `-`. */
function toToolName({ id, name }: StoreReference): string {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(" ", "_")
      .replaceAll(/[^a-z0-9_-]/g, "")
      .slice(0, 64);
  return plain(name) || plain(id) || "knowledge";
}
