export { createEmbeddingResolver, embedWithBackoff, parseEmbeddingReference } from "./embeddings/embedding-resolver.ts";
export { parametersOf } from "./model-parameters.ts";
export { createModelResolver, defaultProviderName, type ModelDefaults } from "./model-resolver.ts";
export { accounts, chatProviders, embeddingProviders, providers } from "./registry.ts";
export { rehearsalLabel } from "./rehearsal/read-message.ts";
export { parseSpeechToText } from "./speech/parse-speech-to-text.ts";
export { parseTextToSpeech } from "./speech/parse-text-to-speech.ts";
export { createSpeaker, type Speak, type Speaker } from "./speech/speaker.ts";
export { createTranscriber, needsSpeechCredential } from "./speech/transcriber.ts";
