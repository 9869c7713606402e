import type { CollectionName, VectorRecord } from "@weft/engine";
import { WeftError } from "@weft/schema";

/** What a collection holds already. */
export type CollectionTraits = Pick<CollectionName, "embedderId" | "dimension">;

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
