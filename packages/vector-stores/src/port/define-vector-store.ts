import type { CollectionName, VectorCollection, VectorRecord } from "@weft/engine/ports/vector-store";
import { type CredentialField, WeftError } from "@weft/schema";
import type { z } from "zod";

/** What a store may use to reach its service. */
export type VectorStoreServices = {
  /** Fields of a stored credential, decrypted. Rejects, or resolves with undefined, when none has the id. */
  readCredential(id: string): Promise<Record<string, string> | undefined>;
  /** The egress client's `fetch`: the only way out of the process. */
  fetch: typeof globalThis.fetch;
};

/** A kind of vector store: data for forms plus one function. */
export type VectorStore<Config extends z.ZodObject = z.ZodObject, Name extends string = string> = {
  readonly name: Name;
  readonly title: string;
  readonly summary: string;
  readonly credentialFields: readonly CredentialField[];
  /** With `.meta()` hints. */
  readonly config: Config;
  /** Names under which existing stores and clients know it, and their names of our config's fields. */
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

/** What a collection holds already. */
type CollectionTraits = Pick<CollectionName, "embedderId" | "dimension">;

/** Throws `embedding-mismatch` when vectors of this embedder and length do not belong into a collection. */
export function assertSameEmbedder(stored: CollectionTraits, name: CollectionName): void {
  if (stored.embedderId === name.embedderId && stored.dimension === name.dimension) return;
  const describe = ({ embedderId, dimension }: CollectionTraits) => `${embedderId} (${dimension} numbers a vector)`;
  throw new WeftError("embedding-mismatch", {
    params: { collection: name.collection, stored: describe(stored), given: describe(name) },
  });
}

/** Throws `embedding-mismatch` when a vector has not the length that the collection's name promises. */
export function assertVectorLengths(name: CollectionName, vectors: readonly Float32Array[]): void {
  const other = vectors.find(({ length }) => length !== name.dimension);
  if (other === undefined) return;
  assertSameEmbedder(name, { ...name, dimension: other.length });
}

/** The records by id: of several with one id the last stays. */
export function lastOfEachId(records: readonly VectorRecord[]): VectorRecord[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}
