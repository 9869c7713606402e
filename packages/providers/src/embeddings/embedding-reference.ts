import { type JsonObject, WeftError } from "@weft/schema";
import { findByAnyName, toOwnConfig } from "../own-config.ts";
import type { EmbeddingProvider } from "./embedding-provider.ts";
import { type EmbeddingProviderName, embeddingProviders } from "./registry.ts";

/** Which embedding model. Empty: the embedded one. */
export type EmbeddingReference = {
  provider?: EmbeddingProviderName | undefined;
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
  const provider: EmbeddingProvider | undefined = findByAnyName(Object.values(embeddingProviders), name);
  if (provider === undefined) {
    const known = Object.keys(embeddingProviders).join(", ");
    throw notConfigured(name, `there is no provider named ${name}. Known providers: ${known}.`);
  }
  const parsed = provider.config.safeParse(toOwnConfig(provider, config));
  if (parsed.success) return { provider: provider.name as EmbeddingProviderName, ...parsed.data };
  const [issue] = parsed.error.issues;
  throw notConfigured(provider.name, `its field ${issue?.path.join(".")} is invalid: ${issue?.message}.`);
}

export function notConfigured(model: string, reason: string): WeftError {
  return new WeftError("embedding-not-configured", { params: { model, reason } });
}
