import { isHttpAddress, normaliseBaseUrl } from "@weft/engine/http";
import type { EmbeddingModel, EmbeddingRequest } from "@weft/engine/ports/embedding-model";
import { findByAnyName, type JsonObject, toOwnConfig, WeftError } from "@weft/schema";
import { LRUCache } from "lru-cache";
import {
  type EmbeddingModelOptions,
  type EmbeddingProvider,
  type ModelHttp,
  type ProviderCredential,
  readProviderCredential,
} from "../define-provider.ts";
import { accountOf, type ModelDefaults } from "../model-resolver.ts";
import { isGiven, missingKeyReason } from "../provider-credential.ts";
import { embeddingProviders } from "../registry.ts";

type EmbeddingResolverDeps = {
  /** The operator's accounts. */
  defaults: ModelDefaults;
  /** Fields of a stored credential, decrypted; undefined when none has the id. Read on every resolve. */
  readCredential(id: string): Promise<Record<string, string> | undefined>;
  /** The egress client. */
  http: Pick<ModelHttp, "fetch" | "reveal">;
};

type EmbeddingResolver = {
  /** Rejects with `embedding-not-configured`. */
  resolve(reference: EmbeddingReference): Promise<EmbeddingModel>;
  /** Ends the worker of the embedded model. */
  close(): Promise<void>;
};

/**
 * Finds the embedding model that a document store asks for. Addresses and keys follow the rules of chat models
 * (`createModelResolver`): the operator's key goes to the operator's address only.
 */
export function createEmbeddingResolver({ defaults, readCredential, http }: EmbeddingResolverDeps): EmbeddingResolver {
  const cache = createEmbeddingCache();
  return {
    async resolve(reference) {
      const provider = findProvider(reference.provider ?? "embedded");
      const stored = isGiven(reference.credential) ? await readCredential(reference.credential) : undefined;
      const credential = stored && readProviderCredential(provider, stored);
      const options = toOptions(provider, { reference, credential, defaults });
      assertUsable(provider, options, { reference, stored });
      const key = JSON.stringify([provider.name, options]);
      return cache.get(key, () => provider.create({ ...options, ...http }));
    },
    close: cache.close,
  };
}

function findProvider(name: string): EmbeddingProvider {
  const provider = embeddingProviders.find((each) => each.name === name);
  if (provider === undefined) throw unknownProvider(name);
  return provider;
}

type Options = Omit<EmbeddingModelOptions, "fetch" | "reveal">;
type Given = { reference: EmbeddingReference; credential: ProviderCredential | undefined };

function toOptions(
  provider: EmbeddingProvider,
  { reference, credential, defaults }: Given & { defaults: ModelDefaults },
): Options {
  const model = [reference.model, ...provider.models].find(isGiven) ?? "";
  if (provider.account === undefined) return { model };
  const operator = accountOf(provider, defaults);
  const operatorUrl = isGiven(operator?.baseUrl) ? normaliseBaseUrl(operator.baseUrl) : undefined;
  const ownUrl = [reference.baseUrl, credential?.baseUrl].find(isGiven);
  const baseUrl = ownUrl === undefined ? operatorUrl : normaliseBaseUrl(ownUrl);
  const mayUseOperatorKey = !isGiven(reference.credential) && baseUrl === operatorUrl;
  const apiKey = [credential?.apiKey, mayUseOperatorKey ? operator?.apiKey : undefined].find(isGiven);
  return { model, baseUrl, apiKey, credential, dimensions: reference.dimensions };
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
    throw refuse(`it needs a base URL. Set one, or ask the operator to set ${provider.account?.address?.variable}.`);
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

/** Which embedding model. Empty: the embedded one. */
export type EmbeddingReference = {
  provider?: string | undefined;
  model?: string | undefined;
  /** Id of a credential. */
  credential?: string | undefined;
  baseUrl?: string | undefined;
  dimensions?: number | undefined;
};

/**
 * What a store's settings mean: our names, or those of existing settings. Without a name it is the embedded model. Throws
 * `embedding-not-configured` for a name that no provider has, and for fields that do not fit.
 */
export function parseEmbeddingReference(name: string | undefined, config: JsonObject): EmbeddingReference {
  if (name === undefined || name === "") return {};
  const provider = findByAnyName(embeddingProviders, name);
  if (provider === undefined) throw unknownProvider(name);
  const parsed = provider.config.safeParse(toOwnConfig(provider, config));
  if (parsed.success) return { provider: provider.name, ...parsed.data };
  const [issue] = parsed.error.issues;
  throw notConfigured(provider.name, `its field ${issue?.path.join(".")} is invalid: ${issue?.message}.`);
}

function unknownProvider(name: string): WeftError {
  const known = embeddingProviders.map((provider) => provider.name).join(", ");
  return notConfigured(name, `there is no provider named ${name}. Known providers: ${known}.`);
}

function notConfigured(model: string, reason: string): WeftError {
  return new WeftError("embedding-not-configured", { params: { model, reason } });
}

type BackoffOptions = {
  /** Resolves after the time, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1, to keep many clients from coming back at once. Default: half. */
  random?(): number;
  /** Default 6. */
  maxAttempts?: number;
};

/** The first pause; each further one is twice as long, up to the longest. */
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * One request, made again while it fails in a way that passes by waiting: as long as the vendor says (Retry-After), else
 * 1, 2, 4 … seconds, each shortened by up to a half at random. A vendor that asks for more than 60 seconds is not waited
 * for. Rejects with the last failure, or with the signal's reason.
 */
export async function embedWithBackoff(
  model: EmbeddingModel,
  request: EmbeddingRequest,
  { sleep, random = () => 0.5, maxAttempts = 6 }: BackoffOptions,
): Promise<Float32Array[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await model.embed(request);
    } catch (error) {
      request.signal.throwIfAborted();
      const pauseMs = findPause(error, attempt, random);
      if (pauseMs === undefined || attempt >= maxAttempts) throw error;
      await sleep(pauseMs, request.signal);
    }
  }
}

/** Undefined: waiting does not help. */
function findPause(error: unknown, attempt: number, random: () => number): number | undefined {
  if (!(error instanceof WeftError) || !error.retryable) return undefined;
  const asked = error.upstream?.retryAfterSeconds;
  if (asked !== undefined) return asked * 1_000 > longestPauseMs ? undefined : asked * 1_000;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (1 - random() / 2);
}
