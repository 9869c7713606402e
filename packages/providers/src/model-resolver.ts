import { isHttpAddress, normaliseBaseUrl } from "@weft/engine/http";
import type { ChatModel, ModelReference, ModelResolver } from "@weft/engine/ports/chat-model";
import { WeftError } from "@weft/schema";
import { LRUCache } from "lru-cache";
import {
  type ChatProvider,
  type ModelHttp,
  type ProviderCredential,
  readProviderCredential,
  type Vendor,
} from "./define-provider.ts";
import {
  type Patience,
  withAnswerLimit,
  withinAnswerLimit,
  withPatience,
  withTakenParameters,
} from "./model-guards.ts";
import { isGiven, missingKeyReason } from "./provider-credential.ts";
import { chatProviders, findChatProvider } from "./registry.ts";
import { rehearsal } from "./rehearsal/rehearsal.ts";

type ModelResolverDeps = {
  defaults: ModelDefaults;
  /** Decrypted fields of a stored credential; undefined for an unknown id. Read on every resolve. */
  readCredential(id: string): Promise<Record<string, string> | undefined>;
  http: ModelHttp;
  /** Absent: no time limit. */
  patience?: Patience;
  /** Maximum bytes of an answer. Absent: no limit. */
  answerBytes?: number;
};

/** A provider with everything that `create` needs, found but not yet checked. */
type Plan = {
  provider: ChatProvider;
  model: string;
  baseUrl: string | undefined;
  apiKey: string | undefined;
};

/** Cached models; the least recently used is evicted first. */
const maxCachedModels = 200;

/**
 * Finds the chat model of a node's reference. An empty reference is the operator's default; see `defaultProviderName`.
 *
 * Addresses: the reference's, else the credential's, else that of the operator's account with the provider (which
 * replaces OpenAI itself if set), else the vendor's. Keys: the named credential's; without a credential the operator's
 * of that account, but only for the account's address, so that no flow can send the operator's key elsewhere.
 */
export function createModelResolver({ defaults, readCredential, patience, ...deps }: ModelResolverDeps): ModelResolver {
  const { answerBytes } = deps;
  const http = answerBytes === undefined ? deps.http : withinAnswerLimit(deps.http, answerBytes);
  const cache = createModelCache(maxCachedModels);

  return {
    async resolve(reference) {
      const { provider: name, model: asked, baseUrl: address, credential: id } = reference;
      const stored = id?.trim() ? await readCredential(id) : undefined;
      return cache.get(JSON.stringify([name, asked, address, id, stored]), async () => {
        const provider = findProvider(reference, defaults);
        const credential = stored && readProviderCredential(provider, stored);
        const plan = toPlan(provider, { reference, credential, defaults });
        assertUsable(plan, reference, stored);
        const { model, baseUrl, apiKey } = plan;
        const { acceptsImages } = provider;
        const created = await provider.create({ model, apiKey, baseUrl, credential, ...http });
        const limited = answerBytes === undefined ? created : withAnswerLimit(created, answerBytes);
        const patient = patience ? withPatience(limited, patience) : limited;
        return { ...withTakenParameters(patient, provider, model), acceptsImages };
      });
    },
  };
}

function findProvider(reference: ModelReference, defaults: ModelDefaults): ChatProvider {
  const name = isGiven(reference.provider) ? reference.provider : impliedProvider(reference, defaults);
  const provider = findChatProvider(name);
  if (provider !== undefined) return provider;
  const known = chatProviders.map((each) => each.name).join(", ");
  throw notConfigured(name, `there is no provider named ${name}. Known providers: ${known}.`);
}

function impliedProvider(reference: ModelReference, defaults: ModelDefaults): string {
  if (isGiven(reference.baseUrl)) return "openai-compatible";
  const name = defaultProviderName(defaults);
  if (name !== rehearsal.name) return name;
  // The rehearsal model answers empty references; naming a model or a credential means a vendor's.
  if (isGiven(reference.model) && !rehearsal.chat.models.includes(reference.model)) return vendorOf(reference.model);
  return isGiven(reference.credential) ? "openai" : name;
}

/** The vendor whose model names match. */
function vendorOf(model: string): string {
  return chatProviders.find(({ modelNames }) => modelNames?.test(model))?.name ?? "openai";
}

type PlanInput = {
  reference: ModelReference;
  credential: ProviderCredential | undefined;
  defaults: ModelDefaults;
};

function toPlan(provider: ChatProvider, { reference, credential, defaults }: PlanInput): Plan {
  const { account } = provider;
  if (account === undefined) {
    return { provider, model: provider.models[0] ?? provider.name, baseUrl: undefined, apiKey: undefined };
  }
  const model = isGiven(reference.model) ? reference.model : defaultModelOf(provider, defaults);
  const operator = accountOf(provider.account, defaults);
  const operatorUrl = isGiven(operator?.baseUrl) ? normaliseBaseUrl(operator.baseUrl) : undefined;
  const ownUrl = [reference.baseUrl, credential?.baseUrl].find(isGiven);
  const baseUrl = ownUrl === undefined ? operatorUrl : normaliseBaseUrl(ownUrl);
  const mayUseOperatorKey = !isGiven(reference.credential) && baseUrl === operatorUrl;
  const apiKey = [credential?.apiKey, mayUseOperatorKey ? operator?.apiKey : undefined].find(isGiven);
  return { provider, model, baseUrl, apiKey };
}

function assertUsable(plan: Plan, reference: ModelReference, stored: Record<string, string> | undefined): void {
  const { provider, baseUrl, apiKey } = plan;
  const id = `${provider.name}/${plan.model}`;
  if (isGiven(reference.credential) && stored === undefined) {
    throw notConfigured(id, "its credential no longer exists. Choose another credential in the flow.");
  }
  if (provider.needs.includes("baseUrl") && baseUrl === undefined) {
    throw notConfigured(
      id,
      `it needs a base URL. Set one in the flow or in its credential, or ask the operator to set ${provider.account?.address?.variable}.`,
    );
  }
  if (baseUrl !== undefined && !isHttpAddress(baseUrl)) {
    throw notConfigured(
      id,
      "its base URL must be an http(s) address without a user name, such as https://api.openai.com/v1.",
    );
  }
  if (provider.account === undefined) return;
  const reason = missingKeyReason({ provider, apiKey, baseUrl, stored, isOwnAddress: isGiven(reference.baseUrl) });
  if (reason !== undefined) throw notConfigured(id, reason);
}

function notConfigured(model: string, reason: string): WeftError {
  return new WeftError("model-not-configured", { params: { model, reason } });
}

/** Models ready for use, by everything that distinguishes them. */
type ModelCache = {
  /** The cached model, or the result of `create`. A failed creation is not cached. */
  get(key: string, create: () => Promise<ChatModel>): Promise<ChatModel>;
};

/** At most `limit` models; evicts the least recently used. */
function createModelCache(limit: number): ModelCache {
  const models = new LRUCache<string, Promise<ChatModel>>({ max: limit });
  return {
    get(key, create) {
      const known = models.get(key);
      if (known !== undefined) return known;
      const model = create();
      models.set(key, model);
      model.catch(() => models.delete(key));
      return model;
    },
  };
}

/** The operator's configuration for everyone. Empty text counts as absent. */
export type ModelDefaults = {
  /** By account name. */
  accounts?: Readonly<Record<string, OperatorAccount>>;
  /** `model`, or `provider/model`. */
  model?: string | undefined;
  /** Paths of folders with the operator's own models. */
  folders?: { readonly embedding: string; readonly reranker: string };
};
export type OperatorAccount = { apiKey?: string | undefined; baseUrl?: string | undefined };

/** The operator's account with the vendor. */
export function accountOf(account: Vendor["account"], defaults: ModelDefaults): OperatorAccount | undefined {
  return account && defaults.accounts?.[account.name];
}

/**
 * The provider for an empty reference. An address set for an account means the compatible server there, whose model
 * names may contain slashes; otherwise the operator may name the provider. Without a name it is the first with an
 * account, and without any account the rehearsal model.
 */
export function defaultProviderName(defaults: ModelDefaults): string {
  return findDefaultModel(defaults).provider.name;
}

/** A provider's default model: the operator's, if it belongs to the same account. */
function defaultModelOf({ account, models }: ChatProvider, defaults: ModelDefaults): string {
  const { provider, model } = findDefaultModel(defaults);
  const isSameAccount = account !== undefined && account === provider.account;
  return (isSameAccount ? model : undefined) ?? models[0] ?? fallbackModel;
}

function findDefaultModel(defaults: ModelDefaults): { provider: ChatProvider; model: string | undefined } {
  const model = isGiven(defaults.model) ? defaults.model : undefined;
  const atAddress = chatProviders.find(
    (provider) => provider.needs.join() === "baseUrl" && isGiven(accountOf(provider.account, defaults)?.baseUrl),
  );
  if (atAddress !== undefined) return { provider: atAddress, model };
  const [, name = "", rest] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  const named = findChatProvider(name);
  if (named !== undefined) return { provider: named, model: rest };
  const withAccount = chatProviders.find((provider) => {
    const { apiKey, baseUrl } = accountOf(provider.account, defaults) ?? {};
    return isGiven(apiKey) || isGiven(baseUrl);
  });
  return { provider: withAccount ?? rehearsal.chat, model };
}

const fallbackModel = "gpt-4o-mini";
