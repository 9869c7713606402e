import type { ChunkPage } from "@weft/client";

export type Chunk = ChunkPage["chunks"][number];
