import { baseUrlField, defineChatProvider } from "../chat-provider.ts";

export const anthropicProvider = defineChatProvider({
  name: "anthropic",
  title: "Anthropic",
  summary: "Anthropic's Claude models, through the Messages API.",
  credentialFields: [
    { name: "apiKey", aliases: ["anthropicApiKey"], title: "API key", secret: true, required: true },
    baseUrlField("Only for a proxy in front of Anthropic, as in https://proxy.example/v1."),
  ],
  needs: ["apiKey"],
  account: { name: "anthropic", keyVariable: "ANTHROPIC_API_KEY" },
  hosts: ["api.anthropic.com"],
  acceptsImages: true,
  models: ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "claude-sonnet-4-6", "claude-haiku-4-5"],
  create: async (options) => (await import("./anthropic-model.ts")).createAnthropicModel(options),
});
