import type { AccountName, ChatProvider } from "./chat-provider.ts";
import { isGiven } from "./provider-credential.ts";
import { type ChatProviderName, chatProviders, isChatProviderName } from "./registry.ts";

/** What the operator configured for everyone. Empty text is absent. */
export type ModelDefaults = Partial<Record<AccountName, OperatorAccount>> & {
  /** `model`, or `provider/model`. */
  model?: string | undefined;
};
export type OperatorAccount = { apiKey?: string | undefined; baseUrl?: string | undefined };

/**
 * Which provider answers an empty reference. A base URL for OpenAI means the compatible server there, which may have
 * slashes in its models' names; otherwise the operator may name the provider. Unnamed it is the first that has an account,
 * and without any the rehearsal model.
 */
export function defaultProviderName(defaults: ModelDefaults): ChatProviderName {
  return findDefaultModel(defaults).provider;
}

/** The model asked of a provider when a reference names none: the operator's, when it is one of the same account. */
export function defaultModelOf({ account, models }: ChatProvider, defaults: ModelDefaults): string {
  const { provider, model } = findDefaultModel(defaults);
  const defaultProvider: ChatProvider = chatProviders[provider];
  const isSameAccount = account !== undefined && account.name === defaultProvider.account?.name;
  return (isSameAccount ? model : undefined) ?? models[0] ?? fallbackModel;
}

function findDefaultModel(defaults: ModelDefaults): { provider: ChatProviderName; model: string | undefined } {
  const model = isGiven(defaults.model) ? defaults.model : undefined;
  if (isGiven(defaults.openai?.baseUrl)) return { provider: "openai-compatible", model };
  const [, named = "", rest] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  if (isChatProviderName(named)) return { provider: named, model: rest };
  const account = accountOrder.find((name) => isGiven(defaults[name]?.apiKey) || isGiven(defaults[name]?.baseUrl));
  return { provider: account ?? "rehearsal", model };
}

const accountOrder = ["openai", "anthropic", "google", "ollama"] as const satisfies readonly AccountName[];
const fallbackModel = "gpt-4o-mini";
