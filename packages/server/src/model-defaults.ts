import type { SecretVault } from "@weft/egress";
import type { ModelDefaults } from "@weft/providers";
import type { Config, Secret } from "./config.ts";
import { hostsOfAccount } from "./credentials/index.ts";

type ModelConfig = Pick<
  Config,
  "defaultModel" | "openAiApiKey" | "openAiBaseUrl" | "anthropicApiKey" | "googleApiKey" | "ollamaUrl"
>;

/**
 * The model and the accounts that the operator's configuration names. Keys are lent: each goes to its vendor's hosts, or
 * to the address that the operator set in their place, and nowhere else.
 */
export function toModelDefaults(config: ModelConfig, vault: Pick<SecretVault, "lend">): ModelDefaults {
  const lend = (provider: "openai" | "anthropic" | "google", name: string, secret: Secret) => {
    const value = secret.reveal();
    return value.trim() === "" ? value : vault.lend(name, { value, name, hosts: hostsOfAccount(provider, config) });
  };
  return {
    model: config.defaultModel,
    openai: { apiKey: lend("openai", "OPENAI_API_KEY", config.openAiApiKey), baseUrl: config.openAiBaseUrl },
    anthropic: { apiKey: lend("anthropic", "ANTHROPIC_API_KEY", config.anthropicApiKey) },
    google: { apiKey: lend("google", "GOOGLE_API_KEY", config.googleApiKey) },
    ollama: { baseUrl: config.ollamaUrl },
  };
}
