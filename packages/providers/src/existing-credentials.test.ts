import assert from "node:assert/strict";
import { test } from "node:test";
import { readProviderCredential } from "./define-provider.ts";
import { providers } from "./registry.ts";

/** Types of credentials that existing clients have for models, the field of the key, and the providers that ask with it. */
const existing: [type: string, field: string, providers: string[]][] = [
  ["openAIApi", "openAIApiKey", ["openai", "openai-compatible"]],
  ["anthropicApi", "anthropicApiKey", ["anthropic"]],
  ["googleGenerativeAI", "googleGenerativeAPIKey", ["google"]],
  ["groqApi", "groqApiKey", ["groq", "openai-compatible"]],
  ["mistralAIApi", "mistralAIAPIKey", ["mistral", "openai-compatible"]],
  ["togetherAIApi", "togetherAIApiKey", ["together", "openai-compatible"]],
  ["xaiApi", "xaiApiKey", ["xai", "openai-compatible"]],
  ["perplexityApi", "perplexityApiKey", ["perplexity", "openai-compatible"]],
  ["sambanovaApi", "sambanovaApiKey", ["sambanova", "openai-compatible"]],
  ["litellmApi", "litellmApiKey", ["openai-compatible"]],
  ["fireworksApi", "fireworksApiKey", ["fireworks", "openai-compatible"]],
  ["cerebrasAIApi", "cerebrasApiKey", ["cerebras", "openai-compatible"]],
  ["nvidiaNIMApi", "nvidiaNIMApiKey", ["nvidia", "openai-compatible"]],
  ["deepseekApi", "deepseekApiKey", ["deepseek", "openai-compatible"]],
  ["openRouterApi", "openRouterApiKey", ["openrouter", "openai-compatible"]],
  ["localAIApi", "localAIApiKey", ["openai-compatible"]],
  ["cohereApi", "cohereApiKey", ["cohere"]],
  ["jinaAIApi", "jinaAIAPIKey", ["jina"]],
  ["azureOpenAIApi", "azureOpenAIApiKey", ["azure-openai", "openai-compatible"]],
];

for (const [type, field, readers] of existing) {
  test(`a credential of the type ${type} is known, and its ${field} is read by ${readers.join(" and ")} alone`, () => {
    const known = providers.flatMap(({ credentialTypes }) => credentialTypes.filter(({ name }) => name === type));
    assert.deepEqual(
      known.map(({ fields }) => fields[0]?.name),
      [field],
    );
    const reading = providers.filter((provider) => readProviderCredential(provider, { [field]: "k" }).apiKey === "k");
    assert.deepEqual(reading.map(({ name }) => name).toSorted(), readers.toSorted());
  });
}
