export { anthropicFormat, type MessagesRequest } from "./anthropic-format.ts";
export { type GenerateContentRequest, googleFormat } from "./google-format.ts";
export { type OllamaChatRequest, ollamaFormat } from "./ollama-format.ts";
export type * from "./script-step.ts";
export {
  createScriptedEmbeddingServer,
  type ScriptedEmbeddingOptions,
  type ScriptedEmbeddingServer,
} from "./scripted-embedding-server.ts";
export { createScriptedOpenAiServer, type ScriptedOpenAiServer } from "./scripted-openai-server.ts";
export { createScriptedServer, type ScriptedServer, type ScriptedServerOptions } from "./scripted-server.ts";
export { speechFormat, type TranscriptionRequest } from "./speech-format.ts";
export { testDimension, toTestVector } from "./test-vectors.ts";
