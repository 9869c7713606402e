const providers: ReadonlyMap<string, string> = new Map(
  Object.entries({
    chatOpenAI: "openai",
    chatAnthropic: "anthropic",
    chatGoogleGenerativeAI: "google",
    chatMistralAI: "mistral",
    groqChat: "groq",
    chatOllama: "ollama",
    chatDeepseek: "deepseek",
    chatOpenRouter: "openrouter",
    chatXAI: "xai",
    chatPerplexity: "perplexity",
    chatTogetherAI: "together",
    chatFireworks: "fireworks",
    chatCerebras: "cerebras",
    chatSambanova: "sambanova",
    chatNvidiaNIM: "nvidia",
  }),
);

/**
 * The provider for a chat model component of Flowise, by the component's name. Undefined: there is none, or it needs an
 * address beside the credential.
 */
export function providerOfComponent(name: string): string | undefined {
  return providers.get(name);
}
