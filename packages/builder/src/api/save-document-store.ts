import type { DocumentStore } from "@weft/client";
import { documentStoresStrings } from "../strings/document-stores.ts";
import { client, isApiError } from "./client.ts";
import { type StoreView, toStoreView } from "./document-store-view.ts";

const preconditionFailed = 412;

/** The fields of a store that people edit. */
export type StoreChanges = Partial<
  Pick<StoreView, "name" | "description" | "embedding" | "vectorStore" | "recordManager">
>;

/** Somebody else changed the same in the meantime. */
export class StoreChangedError extends Error {
  constructor() {
    super(documentStoresStrings.conflict);
  }
}

/**
 * Changes a store last read as `seen`. Rejects with `StoreChangedError` if someone else has changed one of the same
 * fields since; upserts and changes to other fields do not conflict.
 */
export async function saveDocumentStore(seen: StoreView, changes: StoreChanges): Promise<DocumentStore> {
  const { id } = seen;
  for (;;) {
    let ifMatch = "";
    const onResponse = (response: Response) => {
      ifMatch = response.headers.get("etag") ?? "";
    };
    const present = toStoreView(await client.getDocumentStore({ id }, { onResponse }));
    if (isChanged(seen, present, changes)) throw new StoreChangedError();
    try {
      return await client.updateDocumentStore({ id }, toBody(changes), ifMatch === "" ? {} : { ifMatch });
    } catch (error) {
      if (!isApiError(error) || error.status !== preconditionFailed) throw error;
    }
  }
}

function isChanged(seen: StoreView, present: StoreView, changes: StoreChanges): boolean {
  const keys = Object.keys(changes) as (keyof StoreChanges)[];
  return keys.some((key) => JSON.stringify(seen[key]) !== JSON.stringify(present[key]));
}

function toBody({ name, description, embedding, vectorStore, recordManager }: StoreChanges) {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(embedding && { embeddingConfig: JSON.stringify(embedding) }),
    ...(vectorStore && { vectorStoreConfig: JSON.stringify(vectorStore) }),
    ...(recordManager && { recordManagerConfig: JSON.stringify(recordManager) }),
  };
}
