import type { ModelResolver } from "@weft/engine/ports/chat-model";
import type { RerankModel } from "@weft/engine/ports/rerank-model";
import { type RerankSettings, WeftError } from "@weft/schema";
import { LRUCache } from "lru-cache";
import type { ModelHttp } from "../define-provider.ts";
import { rerankProviders } from "../registry.ts";
import { type AccountDeps, resolveAccount } from "../resolve-account.ts";
import { createJudge } from "./judge.ts";

type RerankResolverDeps = AccountDeps & {
  /** The egress client. */
  http: Pick<ModelHttp, "fetch">;
  /** For chat models that judge. */
  chatModels: ModelResolver;
};

/** A reranker. Without a provider there is none. */
export type RerankReference = Pick<RerankSettings, "provider" | "model" | "credential" | "baseUrl">;

export type RerankResolver = {
  /** As in the embedding resolver, for the operator's reranker. */
  start(): Promise<void>;
  /** Rejects with `model-not-configured`. */
  resolve(reference: RerankReference, judge: Parameters<ModelResolver["resolve"]>[0]): Promise<RerankModel>;
  /** Releases the resources of cached models. */
  close(): Promise<void>;
};

/** Evicts the least recently used. */
const maxModels = 100;

/** Finds the reranker in settings; its address and key by `resolveAccount`; `judge` is a chat model in its place. */
export function createRerankResolver({ http, chatModels, ...deps }: RerankResolverDeps): RerankResolver {
  const models = new LRUCache<string, Promise<RerankModel>>({ max: maxModels });
  const folder = deps.defaults.folders?.reranker;

  async function resolve(reference: RerankReference): Promise<RerankModel> {
    const provider = rerankProviders.find(({ name }) => name === reference.provider);
    if (provider === undefined) throw unknownProvider(String(reference.provider));
    const account = await resolveAccount(provider, reference, { ...deps, refuse: notConfigured });
    const key = JSON.stringify([provider.name, account]);
    const known = models.get(key);
    if (known !== undefined) return known;
    const created = provider.create({ ...account, ...http, folder });
    models.set(key, created);
    created.catch(() => models.delete(key));
    return created;
  }

  return {
    async resolve(reference, judge) {
      if (reference.provider === "chat-model") return createJudge(await chatModels.resolve(judge));
      return resolve(reference);
    },
    async start() {
      if (folder !== undefined && folder !== "") await resolve({ provider: "model-folder" });
    },
    async close() {
      for (const result of await Promise.allSettled(models.values())) {
        if (result.status === "fulfilled") await result.value.close?.();
      }
      models.clear();
    },
  };
}

function unknownProvider(name: string): WeftError {
  const known = rerankProviders.map((provider) => provider.name).join(", ");
  return notConfigured(name, `there is no reranker named ${name}. Known ones: ${known}, chat-model.`);
}

function notConfigured(model: string, reason: string): WeftError {
  return new WeftError("model-not-configured", { params: { model, reason } });
}
