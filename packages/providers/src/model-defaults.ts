import type { ChatProvider, Vendor } from "./define-provider.ts";
import { isGiven } from "./provider-credential.ts";
import { chatProviders, findChatProvider } from "./registry.ts";
import { rehearsal } from "./rehearsal/rehearsal.ts";

/** What the operator configured for everyone. Empty text is absent. */
export type ModelDefaults = {
  /** By the names of the accounts. */
  accounts?: Readonly<Record<string, OperatorAccount>>;
  /** `model`, or `provider/model`. */
  model?: string | undefined;
};
export type OperatorAccount = { apiKey?: string | undefined; baseUrl?: string | undefined };

/** The operator's account with the vendor. */
export function accountOf({ account }: Pick<Vendor, "account">, defaults: ModelDefaults): OperatorAccount | undefined {
  return account && defaults.accounts?.[account.name];
}

/**
 * Which provider answers an empty reference. An address that stands for an account means the compatible server there,
 * which may have slashes in its models' names; otherwise the operator may name the provider. Unnamed it is the first that
 * has an account, and without any the rehearsal model.
 */
export function defaultProviderName(defaults: ModelDefaults): string {
  return findDefaultModel(defaults).provider.name;
}

/** The model asked of a provider when a reference names none: the operator's, when it is one of the same account. */
export function defaultModelOf({ account, models }: ChatProvider, defaults: ModelDefaults): string {
  const { provider, model } = findDefaultModel(defaults);
  const isSameAccount = account !== undefined && account === provider.account;
  return (isSameAccount ? model : undefined) ?? models[0] ?? fallbackModel;
}

function findDefaultModel(defaults: ModelDefaults): { provider: ChatProvider; model: string | undefined } {
  const model = isGiven(defaults.model) ? defaults.model : undefined;
  const atAddress = chatProviders.find(
    (provider) => provider.needs.includes("baseUrl") && isGiven(accountOf(provider, defaults)?.baseUrl),
  );
  if (atAddress !== undefined) return { provider: atAddress, model };
  const [, name = "", rest] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  const named = findChatProvider(name);
  if (named !== undefined) return { provider: named, model: rest };
  const withAccount = chatProviders.find((provider) => {
    const { apiKey, baseUrl } = accountOf(provider, defaults) ?? {};
    return isGiven(apiKey) || isGiven(baseUrl);
  });
  return { provider: withAccount ?? rehearsal.chat, model };
}

const fallbackModel = "gpt-4o-mini";
