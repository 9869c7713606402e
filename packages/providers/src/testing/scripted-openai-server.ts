import { openAiFormat } from "../openai/testing/openai-format.ts";
import type { ChatCompletionRequest } from "./script-step.ts";
import { createScriptedServer, type ScriptedServer, type ScriptedServerOptions } from "./scripted-server.ts";

export type ScriptedOpenAiServer = ScriptedServer<ChatCompletionRequest>;

/**
 * A scripted server that speaks OpenAI's Chat Completions, as JSON and as event streams. Its `url` ends in `/v1`. Its
 * scripts read messages as a model understands them: without the tags around data, and the sentence about these.
 */
export function createScriptedOpenAiServer(
  options: ScriptedServerOptions<ChatCompletionRequest> & {
    /** Whether scripts and `requests` see the tags around data. Default false. */
    seesTags?: boolean;
  },
): Promise<ScriptedOpenAiServer> {
  if (options.seesTags) return createScriptedServer(openAiFormat, options);
  const parse: typeof openAiFormat.parse = (bytes, headers) => {
    const request = openAiFormat.parse(bytes, headers);
    return request && { ...request, messages: understood(request.messages) };
  };
  return createScriptedServer({ ...openAiFormat, parse }, options);
}

const tags = /<data-[0-9a-f]{16} from="[^"]*">\n|\n<\/data-[0-9a-f]{16}>/g;
const rule = /^Text between <data-[0-9a-f]{16}> tags /;

function understood(messages: ChatCompletionRequest["messages"]): ChatCompletionRequest["messages"] {
  return messages
    .filter(({ content }) => typeof content !== "string" || !rule.test(content))
    .map((message) => {
      const { content } = message;
      if (typeof content === "string") return { ...message, content: content.replaceAll(tags, "") };
      if (!Array.isArray(content)) return message;
      const parts = content.map((part) =>
        typeof part?.text === "string" ? { ...part, text: part.text.replaceAll(tags, "") } : part,
      );
      return { ...message, content: parts };
    });
}
