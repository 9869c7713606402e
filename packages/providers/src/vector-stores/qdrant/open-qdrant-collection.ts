import { QdrantClient } from "@qdrant/js-client-rest";
import type { CollectionName, VectorCollection } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { isHttpAddress } from "../../base-url.ts";
import { isGiven } from "../../provider-credential.ts";
import type { VectorStoreServices } from "../define-vector-store.ts";
import { createFetchDispatcher } from "./fetch-dispatcher.ts";
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
    name: { ...name, collection: collection ?? name.collection },
    api: createClient(url, apiKey).api(),
    dispatcher: createFetchDispatcher(fetch),
    secrets: apiKey === undefined ? [] : [apiKey],
  });
}

/** The library takes no path in an address, and drops a port that is the scheme's own. It must not keep a clock. */
function createClient(address: string, apiKey: string | undefined): QdrantClient {
  const { protocol, hostname, pathname } = new URL(address);
  const port = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(address)?.[1] ?? "6333";
  return new QdrantClient({
    host: hostname,
    port: Number(port),
    https: protocol === "https:",
    ...(pathname === "/" ? {} : { prefix: pathname.replace(/\/+$/, "") }),
    // As a header: given as a key, the library writes a warning to the console when it goes out without TLS.
    headers: apiKey === undefined ? {} : { "api-key": apiKey },
    timeout: Number.POSITIVE_INFINITY,
    checkCompatibility: false,
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
