import type { ModelReference, ModelResolver } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { isHttpAddress, normaliseBaseUrl } from "./base-url.ts";
import type { ChatProvider } from "./chat-provider.ts";
import { createModelCache } from "./model-cache.ts";
import { type ChatProviderName, chatProviders, isChatProviderName } from "./registry.ts";

/** What the operator configured for everyone: OPENAI_API_KEY, OPENAI_BASE_URL, DEFAULT_MODEL. Empty text is absent. */
export type ModelDefaults = {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  model?: string | undefined;
};

export type ModelResolverDeps = {
  defaults: ModelDefaults;
  /** Fields of a stored credential (`apiKey`, `baseUrl`), decrypted; undefined when none has the id. Read on every resolve. */
  readCredential(id: string): Promise<Record<string, string> | undefined>;
  /** The egress client's `fetch`. */
  fetch: typeof globalThis.fetch;
};

/** A provider with everything that `create` needs, found but not yet checked. */
type Plan = {
  provider: ChatProvider;
  model: string;
  baseUrl: string | undefined;
  apiKey: string | undefined;
};

/** Models kept ready; the one used longest ago goes first. */
const maxCachedModels = 200;
const fallbackModel = "gpt-4o-mini";

/**
 * Finds the chat model that a node asks for. An empty reference is the operator's default: with a base URL
 * `openai-compatible` at that address, with a key alone `openai`, with neither the rehearsal model.
 *
 * Addresses: the reference's, else the credential's, else the operator's (which stands for OpenAI itself when set), else
 * the vendor's. Keys: the named credential's; without a credential the operator's, but only for the operator's address,
 * so that no flow can send the operator's key elsewhere.
 */
export function createModelResolver({ defaults, readCredential, fetch }: ModelResolverDeps): ModelResolver {
  const cache = createModelCache(maxCachedModels);

  return {
    async resolve(reference) {
      const provider = findProvider(reference, defaults);
      const credential = isGiven(reference.credential) ? await readCredential(reference.credential) : undefined;
      const plan = toPlan(provider, { reference, credential, defaults });
      assertUsable(plan, reference, credential);
      const { model, baseUrl, apiKey } = plan;
      const key = JSON.stringify([provider.name, model, baseUrl, reference.credential, apiKey]);
      return cache.get(key, () => provider.create({ model, apiKey, baseUrl, fetch }));
    },
  };
}

/** Which provider answers an empty reference. For the start log and the builder. */
export function defaultProviderName({ apiKey, baseUrl }: ModelDefaults): ChatProviderName {
  if (isGiven(baseUrl)) return "openai-compatible";
  return isGiven(apiKey) ? "openai" : "rehearsal";
}

function findProvider(reference: ModelReference, defaults: ModelDefaults): ChatProvider {
  const name = isGiven(reference.provider) ? reference.provider : impliedProvider(reference, defaults);
  if (isChatProviderName(name)) return chatProviders[name];
  const known = Object.keys(chatProviders).join(", ");
  throw notConfigured(name, `no provider has the name ${name}. Known providers: ${known}.`);
}

function impliedProvider(reference: ModelReference, defaults: ModelDefaults): ChatProviderName {
  if (isGiven(reference.baseUrl)) return "openai-compatible";
  const name = defaultProviderName(defaults);
  return name === "rehearsal" && isGiven(reference.credential) ? "openai" : name;
}

type PlanInput = {
  reference: ModelReference;
  credential: Record<string, string> | undefined;
  defaults: ModelDefaults;
};

function toPlan(provider: ChatProvider, { reference, credential, defaults }: PlanInput): Plan {
  const model = isGiven(reference.model) ? reference.model : defaultModel(provider, defaults);
  if (!provider.needsApiKey && !provider.needsBaseUrl) {
    return { provider, model: provider.models[0] ?? provider.name, baseUrl: undefined, apiKey: undefined };
  }
  const operatorUrl = isGiven(defaults.baseUrl) ? normaliseBaseUrl(defaults.baseUrl) : undefined;
  const ownUrl = [reference.baseUrl, credential?.baseUrl].find(isGiven);
  const baseUrl = ownUrl === undefined ? operatorUrl : normaliseBaseUrl(ownUrl);
  const mayUseOperatorKey = !isGiven(reference.credential) && baseUrl === operatorUrl;
  const apiKey = [credential?.apiKey, mayUseOperatorKey ? defaults.apiKey : undefined].find(isGiven);
  return { provider, model, baseUrl, apiKey };
}

function defaultModel(provider: ChatProvider, defaults: ModelDefaults): string {
  return [defaults.model, provider.models[0]].find(isGiven) ?? fallbackModel;
}

function assertUsable(plan: Plan, reference: ModelReference, credential: Record<string, string> | undefined): void {
  const { provider, baseUrl, apiKey } = plan;
  const id = `${provider.name}/${plan.model}`;
  if (isGiven(reference.credential) && credential === undefined) {
    throw notConfigured(id, "its credential does not exist any more. Choose another credential in the flow.");
  }
  if (provider.needsBaseUrl && baseUrl === undefined) {
    throw notConfigured(
      id,
      "it needs a base URL. Set one in the flow, in its credential, or let the operator set OPENAI_BASE_URL.",
    );
  }
  if (provider.needsApiKey && apiKey === undefined) throw notConfigured(id, missingKeyReason(reference));
  if (baseUrl !== undefined && !isHttpAddress(baseUrl)) {
    throw notConfigured(
      id,
      "its base URL is not an http(s) address without user name, such as https://api.openai.com/v1.",
    );
  }
}

function missingKeyReason(reference: ModelReference): string {
  if (isGiven(reference.credential)) return "its credential has no apiKey. Enter one.";
  if (isGiven(reference.baseUrl)) return "a base URL of its own needs a credential of its own. Choose one in the flow.";
  return "it needs an API key. Choose a credential in the flow, or let the operator set OPENAI_API_KEY.";
}

function notConfigured(model: string, reason: string): WeftError {
  return new WeftError("model-not-configured", { params: { model, reason } });
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
