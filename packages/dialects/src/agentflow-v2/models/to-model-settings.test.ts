import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { chatModelSettings } from "../../testing/chat-model-settings.ts";
import { convertNode } from "../../testing/foreign-file.ts";

/** Delivery and caching, which are not model settings: answers are streamed, images allowed, nothing is cached. */
const how = new Set("cache streaming allowImageUploads timeout contextCache keepAlive".split(" "));

/** Settings that are not numbers, or take effect only together with others. */
const examples: Record<string, JsonObject> = {
  reasoning: { reasoning: true, reasoningEffort: "low" },
  reasoningEffort: { reasoningEffort: "low" },
  extendedThinking: { extendedThinking: true },
  budgetTokens: { extendedThinking: true, budgetTokens: 5_000 },
  adaptiveThinking: { adaptiveThinking: true },
  thinkingEffort: { adaptiveThinking: true, thinkingEffort: "low" },
  thinkingLevel: { thinkingLevel: "LOW" },
  think: { think: true },
};

/** The native model of an LLM node with that component, and the findings. */
function convertModel(llmModel: string, llmModelConfig: JsonObject = {}) {
  const { config, codes, findings } = convertNode("llmAgentflow_0", { llmModel, llmModelConfig });
  return { model: config.model, codes, message: findings[0]?.message ?? "" };
}

describe("toModelSettings", () => {
  it("maps components to providers, with the names of their values", () => {
    const models: [string, JsonObject, JsonObject][] = [
      [
        "chatOpenAI",
        { modelName: "gpt-4o", maxTokens: "200" },
        { provider: "openai", model: "gpt-4o", maxTokens: 200 },
      ],
      [
        "chatAnthropic",
        { modelName: "claude", maxTokensToSample: 9 },
        { provider: "anthropic", model: "claude", maxTokens: 9 },
      ],
      [
        "chatGoogleGenerativeAI",
        { modelName: "gemini-a", customModelName: "gemini-b", maxOutputTokens: "7.5" },
        { provider: "google", model: "gemini-b", maxTokens: 7 },
      ],
      [
        "chatOllama",
        { modelName: "llama3.2", baseUrl: "http://localhost:11434" },
        { provider: "ollama", model: "llama3.2" },
      ],
      ["chatOllamaFunction", { baseUrl: "http://gpu:11434" }, { provider: "ollama", baseUrl: "http://gpu:11434" }],
      ["groqChat", { modelName: "m" }, { provider: "groq", model: "m" }],
      [
        "chatOpenRouter",
        { modelName: "m", basepath: "https://openrouter.ai/api/v1/" },
        { provider: "openrouter", model: "m" },
      ],
      ["chatDeepseek", { modelName: "deepseek-chat" }, { provider: "deepseek", model: "deepseek-chat" }],
      ["chatHuggingFace", { model: "m", hfTopK: "3" }, { provider: "huggingface", model: "m", topK: 3 }],
      [
        "chatHuggingFace",
        { endpoint: "https://own.endpoints.huggingface.cloud/" },
        { provider: "huggingface", baseUrl: "https://own.endpoints.huggingface.cloud/v1" },
      ],
      ["chatAlibabaTongyi", { modelName: "qwen-plus" }, { provider: "alibaba", model: "qwen-plus" }],
      ["chatCometAPI", { modelName: "m" }, { provider: "cometapi", model: "m" }],
      [
        "azureChatOpenAI",
        { modelName: "gpt-4o", basepath: "https://r.openai.azure.com/openai/deployments" },
        {
          provider: "azure-openai",
          model: "gpt-4o",
          baseUrl: "https://r.openai.azure.com/openai/deployments",
        },
      ],
      [
        "chatCohere",
        { modelName: "command-r7b-12-2024", temperature: 0.7 },
        { provider: "cohere", model: "command-r7b-12-2024", temperature: 0.7 },
      ],
      [
        "awsChatBedrock",
        { region: "eu-central-1", model: "amazon.nova-lite-v1:0", max_tokens_to_sample: 200 },
        {
          provider: "bedrock",
          model: "amazon.nova-lite-v1:0",
          baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
          maxTokens: 200,
        },
      ],
      [
        "awsChatBedrock",
        { region: "us-east-1", customModel: "own", endpointHost: "https://vpce.example" },
        { provider: "bedrock", model: "own", baseUrl: "https://vpce.example" },
      ],
      [
        "chatGoogleVertexAI",
        { region: "europe-west4", modelName: "gemini-2.5-flash", maxOutputTokens: 9 },
        {
          provider: "vertex",
          model: "gemini-2.5-flash",
          baseUrl: "https://europe-west4-aiplatform.googleapis.com",
          maxTokens: 9,
        },
      ],
      [
        "chatMistralAI",
        { overrideEndpoint: "https://m.example/v1" },
        { provider: "mistral", baseUrl: "https://m.example/v1" },
      ],
      [
        "chatOpenAICustom",
        { basepath: "https://own.example/v1" },
        { provider: "openai-compatible", baseUrl: "https://own.example/v1" },
      ],
    ];
    for (const [name, values, model] of models)
      assert.deepEqual(convertModel(name, values), { model, codes: [], message: "" }, name);
  });

  it("takes another address of a vendor's component for a compatible server", () => {
    const local = convertModel("chatNvidiaNIM", { modelName: "m", basePath: "http://nim:8000/v1" });
    assert.deepEqual(local.model, { provider: "openai-compatible", model: "m", baseUrl: "http://nim:8000/v1" });
    const { model } = convertModel("chatOpenAI", { basepath: "http://vllm:8000/v1" });
    assert.deepEqual(model, { provider: "openai-compatible", baseUrl: "http://vllm:8000/v1" });
    const own = convertModel("chatOpenAI", { basepath: "https://api.openai.com/v1" });
    assert.deepEqual(own.model, { provider: "openai", baseUrl: "https://api.openai.com/v1" });
  });

  it("names the credential, and sets what is set alone", () => {
    const values = {
      FLOWISE_CREDENTIAL_ID: "c-1",
      credential: "",
      temperature: "0.5",
      topP: "",
      maxTokens: "",
      streaming: true,
      cache: "",
    };
    assert.deepEqual(convertModel("chatOpenAI", values).model, {
      provider: "openai",
      credential: "c-1",
      temperature: 0.5,
    });
  });

  it("says which settings have no effect", () => {
    const { codes, message } = convertModel("chatOpenAI", {
      frequencyPenalty: "1",
      strictToolCalling: true,
      baseOptions: { headers: { a: "b" } },
      timeout: 5,
      budgetTokens: 9,
    });
    assert.deepEqual(codes, ["warning model-settings-ignored"]);
    assert.match(message, /: strictToolCalling, baseOptions\./);
  });

  it("maps parameters by their names in each component", () => {
    const cases: [string, JsonObject, JsonObject][] = [
      [
        "chatOpenAI",
        {
          reasoning: true,
          reasoningEffort: "high",
          frequencyPenalty: "0.5",
          presencePenalty: -1,
          stopSequence: "a, b,,",
        },
        { reasoning: "high", frequencyPenalty: 0.5, presencePenalty: -1, stop: ["a", "b"] },
      ],
      ["chatOpenAI", { reasoning: false, reasoningEffort: "high" }, {}],
      ["azureChatOpenAI", { reasoningEffort: "low" }, { reasoning: "low" }],
      ["chatAnthropic", { extendedThinking: true, budgetTokens: "2048", topK: "7" }, { thinkingTokens: 2048, topK: 7 }],
      ["chatAnthropic", { extendedThinking: true }, { thinkingTokens: 1024 }],
      ["chatAnthropic", { extendedThinking: false, budgetTokens: 1024, thinkingEffort: "max" }, {}],
      [
        "chatAnthropic",
        { adaptiveThinking: true, extendedThinking: true, budgetTokens: 9, thinkingEffort: "max" },
        { reasoning: "max" },
      ],
      ["chatAnthropic", { adaptiveThinking: true }, { reasoning: "high" }],
      ["chatGoogleGenerativeAI", { thinkingBudget: 0, topK: 40 }, { thinkingTokens: 0, topK: 40 }],
      ["chatGoogleVertexAI", { thinkingBudget: -1, thinkingLevel: "LOW" }, { reasoning: "low" }],
      [
        "chatOllama",
        { think: true, numCtx: "8192", stop: "END" },
        { reasoning: "medium", contextTokens: 8192, stop: ["END"] },
      ],
      ["chatMistralAI", { randomSeed: 3 }, { seed: 3 }],
      ["chatPerplexity", { topK: 3 }, { topK: 3 }],
    ];
    for (const [name, values, expected] of cases) {
      const { model, codes } = convertModel(name, values);
      const { provider: _, baseUrl: __, ...parameters } = model as JsonObject;
      assert.deepEqual({ parameters, codes }, { parameters: expected, codes: [] }, name);
    }
  });

  it("gives every setting of every component an effect or a finding", () => {
    for (const [name, settings] of Object.entries(chatModelSettings)) {
      const names = settings.split(" ");
      const address = names.find((one) => /^(base(path|url)|overrideEndpoint)$/i.test(one));
      const base = address === undefined ? {} : { [address]: "https://own.example/v1" };
      const plain = JSON.stringify(convertModel(name, base));
      for (const setting of names) {
        const changed = JSON.stringify(convertModel(name, { ...base, ...(examples[setting] ?? { [setting]: "1" }) }));
        const isSilent = changed === plain && !how.has(setting);
        assert.equal(isSilent, false, `${name}.${setting} changes nothing, and no finding says so`);
      }
    }
  });

  it("leaves out parameters that no model takes", () => {
    const { model, codes } = convertModel("chatOpenAI", { temperature: 3, topP: -1, maxTokens: 0 });
    assert.deepEqual(model, { provider: "openai" });
    assert.deepEqual(codes, ["warning model-parameter-ignored", "warning model-parameter-ignored"]);
  });

  it("refuses models that cannot be used, with what to do", () => {
    const refused: [string, RegExp][] = [
      ["chatUnheardOf", /Choose OpenAI, Anthropic/],
      ["__proto__", /Choose OpenAI, Anthropic/],
    ];
    for (const [name, advice] of refused) {
      const { model, codes, message } = convertModel(name, { modelName: "x" });
      assert.deepEqual([model, codes], [{}, ["error model-unsupported"]]);
      assert.match(message, advice);
    }
    assert.deepEqual(convertModel("chatLocalAI", {}).codes, ["error model-address-missing"]);
  });

  it("leaves the choice to the operator where none was made", () => {
    assert.deepEqual(convertModel("").model, {});
    assert.deepEqual(convertModel("").codes, ["warning model-missing"]);
  });
});
