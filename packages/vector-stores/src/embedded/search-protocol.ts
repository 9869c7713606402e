import type { CollectionName, VectorMatch, VectorSearch } from "@weft/engine";

/** What the search worker is started with: where the platform's database is, and how much it may keep in memory. */
export type SearchWorkerData = { databaseUrl: string; dataDir: string; memoryBytes: number };

export type SearchRequest = Omit<VectorSearch, "signal"> & { name: CollectionName };
export type SearchAnswer = VectorMatch[];
