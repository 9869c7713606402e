import { z } from "zod";
import { apiKeyField, baseUrlField, defineProvider, httpAddress } from "../define-provider.ts";
import {
  createHttpEmbeddingModel,
  createOpenAiWire,
  embeddingConfigFields as fields,
} from "../http-embedding-model.ts";
import { leavesOutOfOpenAi } from "./openai-rules.ts";

/** Destination of the key unless a base URL is given. */
const openAiBaseUrl = "https://api.openai.com/v1";

/** (https://platform.openai.com/docs/guides/text-to-speech#voice-options) */
const voiceNames = "Alloy Ash Ballad Cedar Coral Echo Fable Marin Nova Onyx Sage Shimmer Verse".split(" ");

export const openAiParameters = {
  parameters: ["reasoning", "frequencyPenalty", "presencePenalty", "seed", "stop"],
  leavesOut: leavesOutOfOpenAi,
} as const;

/** With an address, the account is one with the compatible server there. */
export const openAiAccount = {
  name: "openai",
  hosts: ["api.openai.com"],
  keyVariables: ["OPENAI_API_KEY"],
  address: httpAddress("OPENAI_BASE_URL"),
};

export const openai = defineProvider({
  name: "openai",
  title: "OpenAI",
  account: openAiAccount,
  needs: ["apiKey"],
  credentialFields: [
    apiKeyField({ required: true }),
    baseUrlField("Only for a proxy in front of OpenAI, as in https://proxy.example/v1."),
  ],
  existingCredentials: [{ name: "openAIApi", title: "OpenAI API", keyField: "openAIApiKey" }],
  chat: {
    summary: "OpenAI's models, through the Chat Completions API.",
    acceptsImages: true,
    models: ["gpt-4o-mini", "gpt-4o", "gpt-4.1-mini", "gpt-4.1", "gpt-5-mini", "gpt-5"],
    ...openAiParameters,
    /**
     * Chat Completions rather than Responses: one wire format serves OpenAI, proxies in front of it and every
     * compatible server, and the vendor stores nothing of the conversation.
     */
    async create({ model, apiKey, baseUrl = openAiBaseUrl, exchange }) {
      const { createChatCompletionsModel } = await import("../chat-completions/index.ts");
      const { createOpenAiRules } = await import("./openai-rules.ts");
      const adapt = createOpenAiRules(model);
      return createChatCompletionsModel({ id: `openai/${model}`, model, apiKey, baseUrl, exchange, adapt });
    },
  },
  embeddings: {
    summary: "OpenAI's embedding models.",
    models: ["text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002"],
    config: z.strictObject({
      model: fields.model("text-embedding-3-small"),
      credential: fields.credential,
      dimensions: fields.dimensions,
      baseUrl: fields.baseUrl("https://proxy.example/v1"),
    }),
    aliases: {
      names: ["openAIEmbeddings", "openAIEmbeddingsCustom", "openAIEmbedding_LlamaIndex"],
      config: { modelName: "model", basepath: "baseUrl" },
    },
    create: async (options) =>
      createHttpEmbeddingModel(createOpenAiWire("openai", options.baseUrl ?? openAiBaseUrl), options),
  },
  speech: { name: "openAIWhisper", model: "whisper-1" },
  voice: {
    name: "openai",
    model: "gpt-4o-mini-tts",
    voice: "alloy",
    longestText: 4_096,
    baseUrl: openAiBaseUrl,
    voices: voiceNames.map((name) => ({ id: name.toLowerCase(), name })),
    /** (https://platform.openai.com/docs/api-reference/audio/createSpeech) */
    toRequest: ({ baseUrl, apiKey, model, voice, text }) => ({
      url: `${baseUrl}/audio/speech`,
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      body: { model, voice, input: text, response_format: "mp3" },
    }),
  },
});
