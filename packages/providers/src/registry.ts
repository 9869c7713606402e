import { anthropic } from "./anthropic/anthropic.ts";
import { azureOpenAi } from "./azure-openai/azure-openai.ts";
import { bedrock } from "./bedrock/index.ts";
import { cohere } from "./cohere/cohere.ts";
import type { Account, ChatProvider, EmbeddingProvider, Provider, RerankProvider } from "./define-provider.ts";
import { elevenLabs } from "./elevenlabs/elevenlabs.ts";
import { embedded } from "./embedded/embedded.ts";
import { google } from "./google/google.ts";
import { jina } from "./jina/jina.ts";
import { modelFolder } from "./model-folder/model-folder.ts";
import { ollama } from "./ollama/ollama.ts";
import { openai } from "./openai/openai.ts";
import { openAiCompatible } from "./openai-compatible/openai-compatible.ts";
import { compatibleVendors } from "./openai-compatible/vendors.ts";
import { rehearsal } from "./rehearsal/rehearsal.ts";
import { vertex } from "./vertex/vertex.ts";
import { voyage } from "./voyage/voyage.ts";

/** Every provider, in the order in which an account makes it the default. A new one is one folder and one line here. */
export const providers: readonly Provider[] = [
  embedded,
  modelFolder,
  openai,
  openAiCompatible,
  anthropic,
  google,
  ollama,
  ...compatibleVendors,
  azureOpenAi,
  cohere,
  bedrock,
  vertex,
  elevenLabs,
  jina,
  voyage,
  rehearsal,
];

export const chatProviders: readonly ChatProvider[] = providers.flatMap(({ chat }) => chat ?? []);

export const embeddingProviders: readonly EmbeddingProvider[] = providers.flatMap(({ embeddings }) => embeddings ?? []);

export const rerankProviders: readonly RerankProvider[] = providers.flatMap(({ rerank }) => rerank ?? []);

/** The distinct accounts that an operator can have. */
export const accounts: readonly Account[] = [...new Set(providers.flatMap(({ account }) => account ?? []))];

assertDistinct(
  "provider",
  [...new Set(providers)].map(({ name }) => name),
);
assertDistinct(
  "account",
  accounts.map(({ name }) => name),
);
assertDistinct(
  "variable",
  accounts.flatMap(({ keyVariables = [] }) => keyVariables),
);

/** A name in common would bind the key of one to the hosts of the other. */
function assertDistinct(what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two providers have the same ${what}: ${twice}.`);
}

export function findChatProvider(name: string): ChatProvider | undefined {
  return chatProviders.find((provider) => provider.name === name);
}
