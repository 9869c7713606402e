import type { ModelDefaults } from "@weft/providers";
import type { Config } from "./config.ts";

/** The model and the accounts that the operator's configuration names. */
export function toModelDefaults(config: Config): ModelDefaults {
  return {
    model: config.defaultModel,
    openai: { apiKey: config.openAiApiKey.reveal(), baseUrl: config.openAiBaseUrl },
    anthropic: { apiKey: config.anthropicApiKey.reveal() },
    google: { apiKey: config.googleApiKey.reveal() },
    ollama: { baseUrl: config.ollamaUrl },
  };
}
