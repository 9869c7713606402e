export { ollamaFormat } from "../ollama/testing/ollama-format.ts";
export type { ChatCompletionRequest, Script, ScriptStep } from "./script-step.ts";
export { createScriptedEmbeddingServer, type ScriptedEmbeddingOptions } from "./scripted-embedding-server.ts";
export { createScriptedOpenAiServer, type ScriptedOpenAiServer } from "./scripted-openai-server.ts";
export { createScriptedServer } from "./scripted-server.ts";
export { speechFormat } from "./speech-format.ts";
export { toTestVector } from "./test-vectors.ts";
export { startVoiceServer, type VoiceStep } from "./voice-server.ts";
