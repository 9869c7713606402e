import { openAiFormat } from "./openai-format.ts";
import type { ChatCompletionRequest } from "./script-step.ts";
import { createScriptedServer, type ScriptedServer, type ScriptedServerOptions } from "./scripted-server.ts";

export type ScriptedOpenAiServer = ScriptedServer<ChatCompletionRequest>;

/** A scripted server that speaks OpenAI's Chat Completions, as JSON and as event streams. Its `url` ends in `/v1`. */
export function createScriptedOpenAiServer(
  options: ScriptedServerOptions<ChatCompletionRequest>,
): Promise<ScriptedOpenAiServer> {
  return createScriptedServer(openAiFormat, options);
}
