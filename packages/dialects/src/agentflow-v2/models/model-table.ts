/** How a chat model component becomes a native model: the provider, its address, and the names of its values. */
export type ModelMapping = {
  provider: string;
  /** Address of a vendor with the Chat Completions API, where the component has none of its own. */
  baseUrl?: string;
  /** What its form holds when nobody entered an address: says no more than none. */
  presetUrl?: string;
  /** Names under which the component keeps a value, the first that is set counts. */
  keys: { model: readonly string[]; baseUrl: readonly string[]; maxTokens: readonly string[] };
};

const usual = { model: ["modelName"], baseUrl: ["basepath", "basePath", "baseUrl"], maxTokens: ["maxTokens"] };

function compatible(baseUrl?: string): ModelMapping {
  const keys = { ...usual, model: ["modelName", "model"], maxTokens: ["maxTokens", "maxOutputTokens"] };
  return { provider: "openai-compatible", keys, ...(baseUrl === undefined ? {} : { baseUrl }) };
}

const openai: ModelMapping = { provider: "openai", keys: usual };
const anthropic: ModelMapping = { provider: "anthropic", keys: { ...usual, maxTokens: ["maxTokensToSample"] } };
const ollama: ModelMapping = { provider: "ollama", presetUrl: "http://localhost:11434", keys: usual };
const google: ModelMapping = {
  provider: "google",
  keys: { ...usual, model: ["customModelName", "modelName"], maxTokens: ["maxOutputTokens"] },
};
const mistral: ModelMapping = {
  ...compatible("https://api.mistral.ai/v1"),
  keys: { model: ["modelName"], baseUrl: ["overrideEndpoint"], maxTokens: ["maxOutputTokens", "maxTokensToSample"] },
};
const groq = compatible("https://api.groq.com/openai/v1");
const together = compatible("https://api.together.xyz/v1");
const nvidia = compatible("https://integrate.api.nvidia.com/v1");

/** Chat model components by name, with the names that earlier versions used. */
export const modelTable: ReadonlyMap<string, ModelMapping> = new Map(
  Object.entries({
    chatOpenAI: openai,
    chatOpenAI_LlamaIndex: openai,
    chatOpenAIFineTuned: openai,
    chatOpenAICustom: compatible(),
    chatLocalAI: compatible(),
    chatLitellm: compatible(),
    chatAnthropic: anthropic,
    chatAnthropic_LlamaIndex: anthropic,
    chatGoogleGenerativeAI: google,
    chatGooglePaLM: google,
    chatOllama: ollama,
    chatOllama_LlamaIndex: ollama,
    chatOllamaFunction: ollama,
    chatMistralAI: mistral,
    chatMistral_LlamaIndex: mistral,
    groqChat: groq,
    chatGroq_LlamaIndex: groq,
    chatTogetherAI: together,
    chatTogetherAI_LlamaIndex: together,
    chatNvidiaNIM: nvidia,
    chatNvdiaNIM: nvidia,
    chatOpenRouter: compatible("https://openrouter.ai/api/v1"),
    chatDeepseek: compatible("https://api.deepseek.com/v1"),
    chatXAI: compatible("https://api.x.ai/v1"),
    chatCerebras: compatible("https://api.cerebras.ai/v1"),
    chatFireworks: compatible("https://api.fireworks.ai/inference/v1"),
    chatPerplexity: compatible("https://api.perplexity.ai"),
    chatSambanova: compatible("https://api.sambanova.ai/v1"),
  }),
);

/** Components that speak an API of their own, with what to use instead. */
export const otherModels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    azureChatOpenAI: azureAdvice(),
    azureChatOpenAI_LlamaIndex: azureAdvice(),
    awsChatBedrock: "Choose the vendor of the model itself, or an OpenAI-compatible gateway in front of Bedrock.",
    chatGoogleVertexAI: "Choose Google Gemini, which serves the same models with an API key.",
  }),
);

function azureAdvice(): string {
  return "Choose an OpenAI-compatible server with the base URL https://<resource>.openai.azure.com/openai/v1, the name of the deployment as model, and a credential with its key.";
}
