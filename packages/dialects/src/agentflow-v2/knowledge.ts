import { missingModulesSentence } from "@weft/engine/ports/sandbox";
import type { JsonObject } from "@weft/schema";
import type { NodeScope, Report } from "./node-converter.ts";
import type { Settings } from "./settings.ts";

export type StoreReference = { id: string; name: string };

/** The document stores that an agent may search; nothing when it has none. */
export function toKnowledge({ settings, report }: NodeScope): JsonObject {
  if (settings.rows("agentKnowledgeVSEmbeddings").length > 0) {
    report.refuse(
      "knowledge-unsupported",
      "It searches a vector database directly. Make a document store with that database and its embedding model, and choose the store instead.",
    );
  }
  const knowledge = settings.rows("agentKnowledgeDocumentStores").flatMap((row) => {
    const store = toStore(row);
    if (store === undefined) return [];
    const description = row.text("docStoreDescription");
    const returnSourceDocuments = row.flag("returnSourceDocuments");
    return [{ storeId: store.id, name: toToolName(store), description, returnSourceDocuments }];
  });
  return knowledge.length === 0 ? {} : { knowledge };
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

/**
 * The code as it is: the sandbox has the modules that such code asks for most. Code that asks for others is refused, as it
 * would fail when it runs. `owner` begins the sentence that says so.
 */
export function withKnownModules(code: string, owner: string, report: Report): string {
  const missing = missingModulesSentence(code, owner);
  if (missing !== undefined) report.refuse("code-module-unavailable", missing);
  return code;
}
