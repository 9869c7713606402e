import type { EmbeddingModel, EmbeddingRequest } from "@weft/engine/ports/embedding-model";
import { findByAnyName, type JsonObject, toOwnConfig, WeftError } from "@weft/schema";
import { LRUCache } from "lru-cache";
import type { EmbeddingProvider, ModelHttp } from "../define-provider.ts";
import { modelFolder } from "../model-folder/model-folder.ts";
import { embeddingProviders } from "../registry.ts";
import { type AccountDeps, type AccountReference, resolveAccount } from "../resolve-account.ts";

type EmbeddingResolver = {
  /**
   * Opens the model of the operator's folder, if there is one. Rejects if it cannot be used, with a message for the
   * operator.
   */
  start(): Promise<void>;
  /** The models available here. The folder's is included once it is open, under the name of its model. */
  providers(): Pick<EmbeddingProvider, "name" | "title" | "summary" | "config">[];
  /** Rejects with `embedding-not-configured`. */
  resolve(reference: EmbeddingReference): Promise<EmbeddingModel>;
  /** Ends the workers of the models on this server. */
  close(): Promise<void>;
};

/** Finds the embedding model of a document store; its address and key by `resolveAccount`. */
export function createEmbeddingResolver({
  http,
  ...accounts
}: AccountDeps & { http: Pick<ModelHttp, "fetch" | "reveal"> }): EmbeddingResolver {
  const cache = createEmbeddingCache();
  const folder = accounts.defaults.folders?.embedding;
  let folderTitle: string | undefined;

  async function resolve(reference: EmbeddingReference): Promise<EmbeddingModel> {
    const provider = findProvider(reference.provider ?? "embedded");
    const account = await resolveAccount(provider, reference, { ...accounts, refuse: notConfigured });
    const options = provider.account === undefined ? account : { ...account, dimensions: reference.dimensions };
    const key = JSON.stringify([provider.name, options]);
    return cache.get(key, () => provider.create({ ...options, ...http, folder }));
  }

  return {
    resolve,
    async start() {
      if (folder === undefined || folder === "") return;
      const { id } = await resolve({ provider: modelFolder.name });
      folderTitle = id.replace(/^folder:/, `${modelFolder.title} `);
    },
    providers: () =>
      embeddingProviders.flatMap((provider) => {
        if (provider.name !== modelFolder.name) return provider;
        return folderTitle === undefined ? [] : { ...provider, title: folderTitle };
      }),
    close: cache.close,
  };
}

function findProvider(name: string): EmbeddingProvider {
  const provider = embeddingProviders.find((each) => each.name === name);
  if (provider === undefined) throw unknownProvider(name);
  return provider;
}

/** Models ready for use, by everything that distinguishes them. */
type EmbeddingCache = {
  /** The cached model, or the result of `create`. A failed creation is not cached. */
  get(key: string, create: () => Promise<EmbeddingModel>): Promise<EmbeddingModel>;
  /** Releases the resources of cached models. */
  close(): Promise<void>;
};

/** Evicts the least recently used. Models on this server are few, and their workers end when idle. */
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

/** An embedding model. Empty: the embedded one. */
export type EmbeddingReference = AccountReference & {
  provider?: string | undefined;
  dimensions?: number | undefined;
};

/**
 * Parses a store's settings, with our names or those of existing settings. Without a name it is the embedded model.
 * Throws `embedding-not-configured` for an unknown name, and for invalid fields.
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
  /** From 0 to 1, for jitter, so that many clients do not retry at once. Default: half. */
  random?(): number;
  /** Default 6. */
  maxAttempts?: number;
  /** Doubled for each further pause, up to a minute. Default: one second. */
  firstPauseMs?: number | undefined;
};

const longestPauseMs = 60_000;

/**
 * One request, retried while its failure is temporary: after the vendor's pause (Retry-After), otherwise with
 * exponential backoff from the first pause, each shortened by up to a half at random. Gives up if a vendor asks for
 * more than 60 seconds. Rejects with the last failure, or with the signal's reason.
 */
export async function embedWithBackoff(
  model: EmbeddingModel,
  request: EmbeddingRequest,
  { sleep, random = () => 0.5, maxAttempts = 6, firstPauseMs = 1_000 }: BackoffOptions,
): Promise<Float32Array[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await model.embed(request);
    } catch (error) {
      request.signal.throwIfAborted();
      const pauseMs = findPause(error, firstPauseMs * 2 ** (attempt - 1), random);
      if (pauseMs === undefined || attempt >= maxAttempts) throw error;
      await sleep(pauseMs, request.signal);
    }
  }
}

/** Undefined: retrying does not help. */
function findPause(error: unknown, usualMs: number, random: () => number): number | undefined {
  if (!(error instanceof WeftError) || !error.retryable) return undefined;
  const asked = error.upstream?.retryAfterSeconds;
  if (asked !== undefined) return asked * 1_000 > longestPauseMs ? undefined : asked * 1_000;
  return Math.min(longestPauseMs, usualMs) * (1 - random() / 2);
}
