import type { CollectionName, VectorCollection } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { isHttpAddress } from "../../base-url.ts";
import { isGiven } from "../../provider-credential.ts";
import type { VectorStoreServices } from "../define-vector-store.ts";
import { createQdrantApi } from "./qdrant-api.ts";
import { createQdrantCollection } from "./qdrant-collection.ts";

export type QdrantConfig = { url: string; credential?: string | undefined; collection?: string | undefined };

/** Rejects with `vector-store-not-configured`. */
export async function openQdrantCollection(
  { url, credential, collection }: QdrantConfig,
  name: CollectionName,
  { readCredential, fetch }: VectorStoreServices,
): Promise<VectorCollection> {
  if (!isHttpAddress(url)) {
    throw notConfigured("it needs the address of the server, such as https://qdrant.example.com:6333.");
  }
  const apiKey = isGiven(credential) ? await readKey(credential, readCredential) : undefined;
  return createQdrantCollection({
    name,
    api: createQdrantApi({ address: url, apiKey, fetch }, collection ?? name.collection),
    secrets: apiKey === undefined ? [] : [apiKey],
  });
}

async function readKey(
  credential: string,
  readCredential: VectorStoreServices["readCredential"],
): Promise<string | undefined> {
  const fields = await readCredential(credential);
  if (fields === undefined) throw notConfigured("its credential does not exist any more. Choose another.");
  return [fields.apiKey, fields.qdrantApiKey].find(isGiven);
}

function notConfigured(reason: string): WeftError {
  return new WeftError("vector-store-not-configured", { params: { store: "qdrant", reason } });
}
