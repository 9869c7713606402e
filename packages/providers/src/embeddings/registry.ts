import { embeddedEmbeddings } from "./embedded/embedded.ts";
import type { EmbeddingProvider } from "./embedding-provider.ts";
import { googleEmbeddings } from "./google/google.ts";
import { ollamaEmbeddings } from "./ollama/ollama.ts";
import { openaiEmbeddings } from "./openai/openai.ts";
import { openaiCompatibleEmbeddings } from "./openai-compatible/openai-compatible.ts";

/** Every embedding provider by the name that document stores use. A new provider is one folder and one line here. */
export const embeddingProviders = {
  embedded: embeddedEmbeddings,
  openai: openaiEmbeddings,
  "openai-compatible": openaiCompatibleEmbeddings,
  google: googleEmbeddings,
  ollama: ollamaEmbeddings,
} as const satisfies Record<string, EmbeddingProvider>;

export type EmbeddingProviderName = keyof typeof embeddingProviders;
