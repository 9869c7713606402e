import type { ModelParameterName, ModelParameters } from "@weft/engine/ports/chat-model";
import { apiKeyField, baseUrlField, defineProvider } from "../define-provider.ts";

/** Destination of the key unless a base URL is given. Passed to the library so that it reads no environment. */
const anthropicBaseUrl = "https://api.anthropic.com/v1";

export const anthropic = defineProvider({
  name: "anthropic",
  title: "Anthropic",
  account: { name: "anthropic", keyVariables: ["ANTHROPIC_API_KEY"], hosts: ["api.anthropic.com"] },
  needs: ["apiKey"],
  credentialFields: [
    apiKeyField({ required: true }),
    baseUrlField("Only for a proxy in front of Anthropic, as in https://proxy.example/v1."),
  ],
  existingCredentials: [{ name: "anthropicApi", title: "Anthropic API", keyField: "anthropicApiKey" }],
  chat: {
    summary: "Anthropic's Claude models, through the Messages API.",
    acceptsImages: true,
    models: ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "claude-sonnet-4-6", "claude-haiku-4-5"],
    modelNames: /^claude/i,
    parameters: ["reasoning", "thinkingTokens", "topK", "stop"],
    leavesOut: leavesOutOfClaude,
    async create({ model, apiKey = "", baseUrl = anthropicBaseUrl, fetch }) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      const { createAiSdkModel } = await import("../ai-sdk/ai-sdk-model.ts");
      return createAiSdkModel({
        id: `anthropic/${model}`,
        model: createAnthropic({ apiKey, baseURL: baseUrl, fetch }).messages(model),
        // Arguments must be complete, so Anthropic is asked to validate them as JSON.
        dialect: {
          optionsKey: "anthropic",
          options: { toolStreaming: false },
          marksToolErrors: true,
          asksAtTheEnd: true,
          returnsThoughts: true,
          toThinking: (tokens) => ({
            thinking: tokens === 0 ? { type: "disabled" } : { type: "enabled", budgetTokens: tokens },
          }),
        },
        secrets: [apiKey],
      });
    },
  },
});

const sampling: readonly ModelParameterName[] = ["temperature", "topP", "topK"];

/**
 * Claude 4.7 and later take no sampling parameters, nor does any Claude while it thinks.
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking)
 */
export function leavesOutOfClaude(model: string, given: ModelParameters): readonly ModelParameterName[] {
  if (/claude-(?:(?:sonnet|haiku|opus|fable)-5|opus-4-[78])/.test(model)) return sampling;
  const { thinkingTokens, reasoning = "none" } = given;
  const thinks = thinkingTokens === undefined ? reasoning !== "none" : thinkingTokens > 0;
  return thinks ? sampling : [];
}
