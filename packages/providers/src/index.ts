export { createEmbeddingResolver, embedWithBackoff, parseEmbeddingReference } from "./embeddings/embedding-resolver.ts";
export { defaultProviderName, type ModelDefaults } from "./model-defaults.ts";
export { createModelResolver } from "./model-resolver.ts";
export { accounts, chatProviders, embeddingProviders, providers } from "./registry.ts";
export { rehearsalLabel } from "./rehearsal/words.ts";
export { parseSpeechToText } from "./speech/parse-speech-to-text.ts";
export { createTranscriber } from "./speech/transcriber.ts";
