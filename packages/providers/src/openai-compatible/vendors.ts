import { createHash } from "node:crypto";
import type { ModelParameterName } from "@weft/engine/ports/chat-model";
import { z } from "zod";
import type { ChatRequest } from "../chat-completions/index.ts";
import { apiKeyField, baseUrlField, defineProvider, type Provider, type SpeechService } from "../define-provider.ts";
import {
  createHttpEmbeddingModel,
  createOpenAiWire,
  embeddingConfigFields as fields,
} from "../http-embedding-model.ts";

/** A vendor with OpenAI's Chat Completions at its own address. */
type CompatibleVendor = {
  name: string;
  title: string;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Default the host of the address. */
  hosts?: readonly string[];
  keyVariable: string;
  /** As existing clients define it; absent for a vendor that they do not know. */
  existingCredential?: { name: string; title: string; keyField: string };
  /** Default true. */
  acceptsImages?: boolean;
  models: readonly string[];
  /** Default those of OpenAI's API. */
  parameters?: readonly ModelParameterName[];
  /** Present for a vendor with OpenAI's embeddings API. `aliases`: as of an `EmbeddingProvider`. */
  embeddings?: {
    models: readonly [string, ...string[]];
    aliases: { names: string[]; config: Record<string, string> };
    /** The vendor's parameter for the length of vectors. Default `dimensions`. */
    dimensionsKey?: string;
  };
  /** Adapts a request to the vendor. */
  toRequest?: (request: ChatRequest) => ChatRequest;
  speech?: SpeechService;
};

const openAiParameters = ["reasoning", "frequencyPenalty", "presencePenalty", "seed", "stop"] as const;
const withTopK = [...openAiParameters, "topK"] as const;

function defineCompatibleVendor(vendor: CompatibleVendor): Provider {
  const { name, title, baseUrl, hosts = [new URL(baseUrl).host], acceptsImages = true, models } = vendor;
  const { embeddings, speech, existingCredential, toRequest, parameters = openAiParameters } = vendor;
  if (!/^https:\/\/.*[^/]$/.test(baseUrl))
    throw new Error(`${name}: baseUrl must begin with https:// and end without a slash.`);
  return defineProvider({
    name,
    title,
    account: { name, hosts, keyVariables: [vendor.keyVariable] },
    needs: ["apiKey"],
    credentialFields: [
      apiKeyField({ required: true }),
      baseUrlField(`Only for a proxy in front of ${title}, as in https://proxy.example/v1.`),
    ],
    ...(existingCredential && { existingCredentials: [existingCredential] }),
    chat: {
      summary: `Models of ${title}, through its OpenAI-compatible API.`,
      acceptsImages,
      models,
      parameters,
      async create({ baseUrl: ownUrl = baseUrl, ...options }) {
        const { createChatCompletionsModel } = await import("../chat-completions/index.ts");
        const id = `${name}/${options.model}`;
        return createChatCompletionsModel({ id, baseUrl: ownUrl, ...options, ...(toRequest && { adapt: toRequest }) });
      },
    },
    ...(embeddings && {
      embeddings: {
        summary: `Embedding models of ${title}.`,
        models: embeddings.models,
        config: z.strictObject({
          model: fields.model(embeddings.models[0]),
          credential: fields.credential,
          dimensions: fields.dimensions,
          baseUrl: fields.baseUrl("https://proxy.example/v1"),
        }),
        aliases: embeddings.aliases,
        create: async (options) =>
          createHttpEmbeddingModel(
            createOpenAiWire(name, options.baseUrl ?? baseUrl, embeddings.dimensionsKey),
            options,
          ),
      },
    }),
    ...(speech && { speech }),
  });
}

/** Every such vendor, in the order in which an account makes it the default. A new one is one entry here. */
export const compatibleVendors: readonly Provider[] = [
  defineCompatibleVendor({
    name: "groq",
    title: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    existingCredential: { name: "groqApi", title: "Groq API", keyField: "groqApiKey" },
    models: ["llama-3.3-70b-versatile", "llama-3.1-8b-instant", "openai/gpt-oss-120b", "openai/gpt-oss-20b"],
    speech: { name: "groqWhisper", model: "whisper-large-v3", baseUrl: "https://api.groq.com/openai/v1" },
  }),
  defineCompatibleVendor({
    name: "mistral",
    title: "Mistral AI",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    existingCredential: { name: "mistralAIApi", title: "Mistral AI API", keyField: "mistralAIAPIKey" },
    toRequest: toMistralRequest,
    parameters: ["frequencyPenalty", "presencePenalty", "seed", "stop"],
    models: ["mistral-small-latest", "mistral-medium-latest", "mistral-large-latest", "codestral-latest"],
    embeddings: {
      models: ["mistral-embed", "codestral-embed"],
      aliases: { names: ["mistralAIEmbeddings"], config: { modelName: "model", overrideEndpoint: "baseUrl" } },
      dimensionsKey: "output_dimension",
    },
  }),
  defineCompatibleVendor({
    name: "together",
    title: "Together AI",
    baseUrl: "https://api.together.xyz/v1",
    hosts: ["api.together.xyz", "api.together.ai"],
    keyVariable: "TOGETHER_API_KEY",
    existingCredential: { name: "togetherAIApi", title: "Together AI API", keyField: "togetherAIApiKey" },
    parameters: withTopK,
    models: ["meta-llama/Llama-3.3-70B-Instruct-Turbo", "openai/gpt-oss-120b", "openai/gpt-oss-20b"],
  }),
  defineCompatibleVendor({
    name: "xai",
    title: "xAI",
    baseUrl: "https://api.x.ai/v1",
    keyVariable: "XAI_API_KEY",
    existingCredential: { name: "xaiApi", title: "xAI API", keyField: "xaiApiKey" },
    models: ["grok-4", "grok-3-mini", "grok-3"],
  }),
  defineCompatibleVendor({
    name: "perplexity",
    title: "Perplexity",
    baseUrl: "https://api.perplexity.ai",
    keyVariable: "PERPLEXITY_API_KEY",
    existingCredential: { name: "perplexityApi", title: "Perplexity API", keyField: "perplexityApiKey" },
    parameters: ["reasoning", "topK", "frequencyPenalty", "presencePenalty"],
    models: ["sonar", "sonar-pro", "sonar-reasoning-pro"],
  }),
  defineCompatibleVendor({
    name: "fireworks",
    title: "Fireworks AI",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    keyVariable: "FIREWORKS_API_KEY",
    existingCredential: { name: "fireworksApi", title: "Fireworks API", keyField: "fireworksApiKey" },
    parameters: withTopK,
    models: ["accounts/fireworks/models/gpt-oss-120b", "accounts/fireworks/models/gpt-oss-20b"],
  }),
  defineCompatibleVendor({
    name: "cerebras",
    title: "Cerebras",
    baseUrl: "https://api.cerebras.ai/v1",
    keyVariable: "CEREBRAS_API_KEY",
    existingCredential: { name: "cerebrasAIApi", title: "Cerebras API", keyField: "cerebrasApiKey" },
    acceptsImages: false,
    models: ["gpt-oss-120b", "llama3.1-8b"],
  }),
  defineCompatibleVendor({
    name: "nvidia",
    title: "NVIDIA NIM",
    baseUrl: "https://integrate.api.nvidia.com/v1",
    keyVariable: "NVIDIA_API_KEY",
    existingCredential: { name: "nvidiaNIMApi", title: "NVIDIA NIM API", keyField: "nvidiaNIMApiKey" },
    models: ["meta/llama-3.3-70b-instruct", "openai/gpt-oss-120b"],
  }),
  defineCompatibleVendor({
    name: "sambanova",
    title: "SambaNova",
    baseUrl: "https://api.sambanova.ai/v1",
    keyVariable: "SAMBANOVA_API_KEY",
    existingCredential: { name: "sambanovaApi", title: "SambaNova API", keyField: "sambanovaApiKey" },
    parameters: withTopK,
    models: ["Meta-Llama-3.3-70B-Instruct", "gpt-oss-120b"],
  }),
  defineCompatibleVendor({
    name: "deepseek",
    title: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    existingCredential: { name: "deepseekApi", title: "DeepSeek API", keyField: "deepseekApiKey" },
    acceptsImages: false,
    parameters: ["frequencyPenalty", "presencePenalty", "stop"],
    models: ["deepseek-chat", "deepseek-reasoner"],
  }),
  defineCompatibleVendor({
    name: "openrouter",
    title: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    existingCredential: { name: "openRouterApi", title: "OpenRouter API", keyField: "openRouterApiKey" },
    parameters: withTopK,
    models: ["openrouter/auto", "openai/gpt-4o-mini", "anthropic/claude-sonnet-4.5"],
  }),
  defineCompatibleVendor({
    name: "huggingface",
    title: "Hugging Face",
    baseUrl: "https://router.huggingface.co/v1",
    keyVariable: "HF_TOKEN",
    existingCredential: { name: "huggingFaceApi", title: "HuggingFace API", keyField: "huggingFaceApiKey" },
    models: ["openai/gpt-oss-120b", "meta-llama/Llama-3.3-70B-Instruct"],
  }),
  defineCompatibleVendor({
    name: "alibaba",
    title: "Alibaba Cloud Model Studio",
    baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    hosts: ["dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"],
    keyVariable: "DASHSCOPE_API_KEY",
    existingCredential: { name: "AlibabaApi", title: "Alibaba API", keyField: "alibabaApiKey" },
    parameters: ["topK", "presencePenalty", "seed", "stop"],
    models: ["qwen-plus", "qwen-turbo", "qwen-max"],
  }),
  defineCompatibleVendor({
    name: "cometapi",
    title: "CometAPI",
    baseUrl: "https://api.cometapi.com/v1",
    keyVariable: "COMETAPI_API_KEY",
    existingCredential: { name: "cometApi", title: "Comet API", keyField: "cometApiKey" },
    models: ["gpt-5-mini", "claude-sonnet-4-5", "gemini-2.5-flash"],
  }),
];

/** For a model that follows another one without a user message in between. */
const goOn = "Continue.";

/**
 * Mistral's differences from OpenAI: tool call ids are nine letters and digits, a conversation ends with a user message
 * or a tool's result, `stream_options` is refused, since every stream reports usage, and the seed is called
 * `random_seed`. (https://docs.mistral.ai/api, "Chat Completion")
 */
function toMistralRequest({ stream_options: _, seed, ...request }: ChatRequest): ChatRequest {
  const messages = request.messages.map(toMistralMessage);
  const last = messages.at(-1);
  if (last?.role === "assistant" && last.tool_calls === undefined) messages.push({ role: "user", content: goOn });
  return { ...request, messages, random_seed: seed };
}

type Message = ChatRequest["messages"][number];

function toMistralMessage(message: Message): Message {
  if (message.role === "tool") return { ...message, tool_call_id: toMistralId(message.tool_call_id) };
  if (message.role !== "assistant" || message.tool_calls === undefined) return message;
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: toMistralId(call.id) })) };
}

/** Converts another model's call id to one that Mistral accepts: deterministic. */
function toMistralId(id: string): string {
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);
}
