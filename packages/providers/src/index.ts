export { isHttpAddress } from "./base-url.ts";
export type { ChatModelOptions, ChatProvider, CredentialField } from "./chat-provider.ts";
export { defineChatProvider } from "./chat-provider.ts";
export type { EmbeddingProvider } from "./embeddings/index.ts";
export {
  createEmbeddingResolver,
  type EmbeddingReference,
  type EmbeddingResolver,
  embeddingProviders,
  embedWithBackoff,
  parseEmbeddingReference,
} from "./embeddings/index.ts";
export { findWeftError } from "./failure/model-failure.ts";
export { describeNetworkError, isNetworkError, toReason } from "./failure/vendor-reason.ts";
export {
  defineLoader,
  type Loader,
  type LoaderDefinition,
  type LoaderGroup,
  type LoadOptions,
  type SourceServices,
} from "./loaders/define-loader.ts";
export { findLoader, type LoaderName, loaders } from "./loaders/registry.ts";
export { type KeyQuestion, missingKeyReason } from "./missing-key.ts";
export { defaultProviderName, type ModelDefaults } from "./model-defaults.ts";
export { createModelResolver, type ModelResolverDeps } from "./model-resolver.ts";
export { parseOllamaHost } from "./ollama/ollama-host.ts";
export { type Aliased, findByAnyName, toOwnConfig } from "./own-config.ts";
export type { AnswerLimits } from "./patience.ts";
export { isGiven, type ProviderCredential, toProviderCredential } from "./provider-credential.ts";
export { type ChatProviderName, chatProviders, isChatProviderName } from "./registry.ts";
export { rehearsalLabel } from "./rehearsal/words.ts";
export { parseSpeechToText, type SpeechToTextSettings } from "./speech/parse-speech-to-text.ts";
export { createSpeechToText, type SpeechToTextOptions } from "./speech/speech-to-text.ts";
