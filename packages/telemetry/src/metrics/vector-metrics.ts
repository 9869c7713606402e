import type { VectorIndex } from "@weft/schema";
import type { Registry } from "./registry.ts";

/** Vectors of embedded collections in the memory of this process. */
export function createVectorMetrics(registry: Registry, vectorIndex: () => VectorIndex): void {
  const gauges: [name: string, help: string, read: (index: VectorIndex) => number][] = [
    ["weft_vector_index_bytes", "Memory that vectors take.", ({ memoryBytes }) => memoryBytes],
    ["weft_vector_index_limit_bytes", "Memory that they may take: VECTOR_MEMORY.", ({ limitBytes }) => limitBytes],
    ["weft_vector_index_collections", "Collections in memory.", ({ collections }) => collections],
    [
      "weft_vector_index_loaded_ratio",
      "Share of the vectors that are there, in collections that are being read; 1 while none is.",
      ({ loading }) => (loading === null ? 1 : loading.done / Math.max(1, loading.total)),
    ],
  ];
  for (const [name, help, read] of gauges) registry.gauge({ name, help, read: () => [{ value: read(vectorIndex()) }] });
}
