import type { CollectionName, VectorCollection, VectorRecord } from "@weft/engine/ports/vector-store";
import { type CredentialField, WeftError } from "@weft/schema";
import type { z } from "zod";

/** Services through which a store reaches its server. */
export type VectorStoreServices = {
  /** Decrypted fields of a stored credential. Rejects, or resolves with undefined, for an unknown id. */
  readCredential(id: string): Promise<Record<string, string> | undefined>;
  /** The egress client's `fetch`: the only way out of the process. */
  fetch: typeof globalThis.fetch;
};

/** A type of vector store: data for forms plus one function. */
export type VectorStore<Config extends z.ZodObject = z.ZodObject, Name extends string = string> = {
  readonly name: Name;
  readonly title: string;
  readonly summary: string;
  readonly credentialFields: readonly CredentialField[];
  /** With `.meta()` hints. */
  readonly config: Config;
  /** Its names in existing stores and clients, and their names of our config's fields. */
  readonly aliases: { readonly names: readonly string[]; readonly config: Readonly<Record<string, string>> };
  /**
   * The collection of that name, which need not exist. Cheap: it may be called for every request. Rejects with
   * `vector-store-not-configured`.
   */
  open(config: z.infer<Config>, name: CollectionName, services: VectorStoreServices): Promise<VectorCollection>;
};

/** Declares a vector store. The module that calls this must not import the vendor's library at load time. */
export function defineVectorStore<Config extends z.ZodObject, const Name extends string>(
  store: VectorStore<Config, Name>,
): VectorStore<Config, Name> {
  return Object.freeze(store);
}

/** Traits of an existing collection. */
type CollectionTraits = Pick<CollectionName, "embedderId" | "dimension">;

/** Throws `embedding-mismatch` if vectors of this embedder and length do not belong in a collection. */
export function assertSameEmbedder(stored: CollectionTraits, name: CollectionName): void {
  if (stored.embedderId === name.embedderId && stored.dimension === name.dimension) return;
  const describe = ({ embedderId, dimension }: CollectionTraits) => `${embedderId} (${dimension} numbers a vector)`;
  throw new WeftError("embedding-mismatch", {
    params: { collection: name.collection, stored: describe(stored), given: describe(name) },
  });
}

/** Throws `embedding-mismatch` if a vector's length differs from the collection name's. */
export function assertVectorLengths(name: CollectionName, vectors: readonly Float32Array[]): void {
  const other = vectors.find(({ length }) => length !== name.dimension);
  if (other === undefined) return;
  assertSameEmbedder(name, { ...name, dimension: other.length });
}

/** Deduplicates records by id: the last one wins. */
export function lastOfEachId(records: readonly VectorRecord[]): VectorRecord[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}
