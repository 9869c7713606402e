import { isHttpAddress, normaliseBaseUrl } from "@weft/engine/http";
import { type ProviderCredential, readProviderCredential, type Vendor } from "./define-provider.ts";
import type { ModelDefaults } from "./model-resolver.ts";
import { isGiven, missingKeyReason } from "./provider-credential.ts";

/** A model in a store's settings. Empty fields mean the provider's default, or the operator's account. */
export type AccountReference = {
  model?: string | undefined;
  /** Id of a credential. */
  credential?: string | undefined;
  baseUrl?: string | undefined;
};

export type AccountDeps = {
  /** The operator's accounts. */
  defaults: ModelDefaults;
  /** Decrypted fields of a stored credential; undefined for an unknown id. Read on every resolve. */
  readCredential(id: string): Promise<Record<string, string> | undefined>;
};

/** The account used to call a model. */
export type ResolvedAccount = {
  model: string;
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  credential?: ProviderCredential | undefined;
};

/**
 * Finds the address and the key for a model. They follow the rules of chat models (`createModelResolver`): the
 * operator's key goes to the operator's address only. Throws `refuse`'s error for the model and the reason.
 */
export async function resolveAccount(
  provider: Vendor & { models: readonly string[] },
  reference: AccountReference,
  { defaults, readCredential, refuse }: AccountDeps & { refuse(model: string, reason: string): Error },
): Promise<ResolvedAccount> {
  const stored = isGiven(reference.credential) ? await readCredential(reference.credential) : undefined;
  const credential = stored && readProviderCredential(provider, stored);
  const found = toAccount(provider, { reference, credential, defaults });
  const reason = unusableReason(provider, found, { reference, stored });
  if (reason !== undefined) throw refuse(`${provider.name}/${found.model}`, reason);
  return found;
}

type Given = { reference: AccountReference; credential: ProviderCredential | undefined; defaults: ModelDefaults };

function toAccount(
  provider: Vendor & { models: readonly string[] },
  { reference, credential, defaults }: Given,
): ResolvedAccount {
  const model = [reference.model, ...provider.models].find(isGiven) ?? "";
  if (provider.account === undefined) return { model };
  const operator = defaults.accounts?.[provider.account.name];
  const operatorUrl = isGiven(operator?.baseUrl) ? normaliseBaseUrl(operator.baseUrl) : undefined;
  const ownUrl = [reference.baseUrl, credential?.baseUrl].find(isGiven);
  const baseUrl = ownUrl === undefined ? operatorUrl : normaliseBaseUrl(ownUrl);
  const mayUseOperatorKey = !isGiven(reference.credential) && baseUrl === operatorUrl;
  const apiKey = [credential?.apiKey, mayUseOperatorKey ? operator?.apiKey : undefined].find(isGiven);
  return { model, baseUrl, apiKey, credential };
}

type Chosen = { reference: AccountReference; stored: Record<string, string> | undefined };

/** As text after "cannot be used: ". */
function unusableReason(
  provider: Vendor,
  { model, apiKey, baseUrl }: ResolvedAccount,
  { reference, stored }: Chosen,
): string | undefined {
  if (isGiven(reference.credential) && stored === undefined) return "its credential no longer exists. Choose another.";
  if (model === "") return "it needs a model name. Enter one.";
  if (provider.needs.includes("baseUrl") && baseUrl === undefined) {
    return `it needs a base URL. Set one, or ask the operator to set ${provider.account?.address?.variable}.`;
  }
  if (baseUrl !== undefined && !isHttpAddress(baseUrl)) {
    return "its base URL must be an http(s) address without a user name, such as https://api.openai.com/v1.";
  }
  if (provider.account === undefined) return undefined;
  return missingKeyReason({ provider, apiKey, baseUrl, stored, isOwnAddress: isGiven(reference.baseUrl) });
}
