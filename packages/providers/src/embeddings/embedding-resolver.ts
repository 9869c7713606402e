import type { EmbeddingModel } from "@weft/engine";
import { LRUCache } from "lru-cache";
import { isHttpAddress, normaliseBaseUrl } from "../base-url.ts";
import { missingKeyReason } from "../missing-key.ts";
import type { ModelDefaults } from "../model-defaults.ts";
import { isGiven, type ProviderCredential, toProviderCredential } from "../provider-credential.ts";
import type { EmbeddingModelOptions, EmbeddingProvider } from "./embedding-provider.ts";
import { type EmbeddingReference, notConfigured } from "./embedding-reference.ts";
import { embeddingProviders } from "./registry.ts";

export type EmbeddingResolverDeps = {
  /** The operator's accounts. */
  defaults: ModelDefaults;
  /** Fields of a stored credential, decrypted; undefined when none has the id. Read on every resolve. */
  readCredential(id: string): Promise<Record<string, string> | undefined>;
  /** The egress client's `fetch`. */
  fetch: typeof globalThis.fetch;
};

export type EmbeddingResolver = {
  /** Rejects with `embedding-not-configured`. */
  resolve(reference: EmbeddingReference): Promise<EmbeddingModel>;
  /** Ends the worker of the embedded model. */
  close(): Promise<void>;
};

/**
 * Finds the embedding model that a document store asks for. Addresses and keys follow the rules of chat models
 * (`createModelResolver`): the operator's key goes to the operator's address only.
 */
export function createEmbeddingResolver({ defaults, readCredential, fetch }: EmbeddingResolverDeps): EmbeddingResolver {
  const cache = createEmbeddingCache();
  return {
    async resolve(reference) {
      const provider: EmbeddingProvider = embeddingProviders[reference.provider ?? "embedded"];
      const stored = isGiven(reference.credential) ? await readCredential(reference.credential) : undefined;
      const credential = stored && toProviderCredential(provider, stored);
      const options = toOptions(provider, { reference, credential, defaults });
      assertUsable(provider, options, { reference, stored });
      const key = JSON.stringify([provider.name, options]);
      return cache.get(key, () => provider.create({ ...options, fetch }));
    },
    close: cache.close,
  };
}

type Options = Omit<EmbeddingModelOptions, "fetch">;
type Given = { reference: EmbeddingReference; credential: ProviderCredential | undefined };

function toOptions(
  { account, models }: EmbeddingProvider,
  { reference, credential, defaults }: Given & { defaults: ModelDefaults },
): Options {
  const model = [reference.model, ...models].find(isGiven) ?? "";
  if (account === undefined) return { model };
  const operator = defaults[account.name];
  const operatorUrl = isGiven(operator?.baseUrl) ? normaliseBaseUrl(operator.baseUrl) : undefined;
  const ownUrl = [reference.baseUrl, credential?.baseUrl].find(isGiven);
  const baseUrl = ownUrl === undefined ? operatorUrl : normaliseBaseUrl(ownUrl);
  const mayUseOperatorKey = !isGiven(reference.credential) && baseUrl === operatorUrl;
  const apiKey = [credential?.apiKey, mayUseOperatorKey ? operator?.apiKey : undefined].find(isGiven);
  return { model, baseUrl, apiKey, dimensions: reference.dimensions };
}

type Chosen = { reference: EmbeddingReference; stored: Record<string, string> | undefined };

function assertUsable(provider: EmbeddingProvider, options: Options, { reference, stored }: Chosen): void {
  const { model, apiKey, baseUrl } = options;
  const refuse = (reason: string) => notConfigured(`${provider.name}/${model}`, reason);
  if (isGiven(reference.credential) && stored === undefined) {
    throw refuse("its credential no longer exists. Choose another.");
  }
  if (model === "") throw refuse("it needs a model name. Enter one.");
  if (provider.needs.includes("baseUrl") && baseUrl === undefined) {
    throw refuse("it needs a base URL. Set one, or ask the operator to set OPENAI_BASE_URL.");
  }
  if (baseUrl !== undefined && !isHttpAddress(baseUrl)) {
    throw refuse("its base URL must be an http(s) address without a user name, such as https://api.openai.com/v1.");
  }
  if (provider.account === undefined) return;
  const reason = missingKeyReason({ provider, apiKey, baseUrl, stored, isOwnAddress: isGiven(reference.baseUrl) });
  if (reason !== undefined) throw refuse(reason);
}

/** Models that are ready to be asked, by everything that makes them differ. */
type EmbeddingCache = {
  /** The model kept under the key, or what `create` makes. A failed creation is not kept. */
  get(key: string, create: () => Promise<EmbeddingModel>): Promise<EmbeddingModel>;
  /** Ends what the kept models hold. */
  close(): Promise<void>;
};

/** The one used longest ago is forgotten first. The embedded model is only one, and its worker ends when idle. */
const maxModels = 100;

function createEmbeddingCache(): EmbeddingCache {
  const models = new LRUCache<string, Promise<EmbeddingModel>>({ max: maxModels });
  return {
    get(key, create) {
      const known = models.get(key);
      if (known !== undefined) return known;
      const model = create();
      models.set(key, model);
      model.catch(() => models.delete(key));
      return model;
    },
    async close() {
      for (const result of await Promise.allSettled(models.values())) {
        if (result.status === "fulfilled") await result.value.close?.();
      }
      models.clear();
    },
  };
}
