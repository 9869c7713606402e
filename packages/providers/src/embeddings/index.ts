export { embedWithBackoff } from "./embed-with-backoff.ts";
export type { EmbeddingProvider } from "./embedding-provider.ts";
export { type EmbeddingReference, parseEmbeddingReference } from "./embedding-reference.ts";
export { createEmbeddingResolver, type EmbeddingResolver } from "./embedding-resolver.ts";
export { embeddingProviders } from "./registry.ts";
