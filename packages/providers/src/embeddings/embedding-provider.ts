import type { EmbeddingModel } from "@weft/engine";
import { z } from "zod";
import type { AccountName, CredentialField } from "../chat-provider.ts";

export type EmbeddingModelOptions = {
  model: string;
  apiKey?: string | undefined;
  /** Without a trailing slash. Absent: the vendor's own address. */
  baseUrl?: string | undefined;
  /** How long vectors are to be. Absent: as long as the model makes them. */
  dimensions?: number | undefined;
  /** The egress client's `fetch`: the only way out of the process. */
  fetch: typeof globalThis.fetch;
};

/** A vendor of embedding models: data for forms plus one function. */
export type EmbeddingProvider = {
  /** As a document store names it. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly credentialFields: readonly CredentialField[];
  /** Without which a model cannot be used. */
  readonly needs: readonly ("apiKey" | "baseUrl")[];
  /** The operator's account that it shares, and the variable that sets its key. Absent: it calls nobody. */
  readonly account?: { readonly name: AccountName; readonly keyVariable?: string };
  /** Model ids that forms suggest, the default first. Any other id may be given. */
  readonly models: readonly string[];
  /** With `.meta()` hints; its fields are those of an `EmbeddingReference`. */
  readonly config: z.ZodObject;
  /** Names under which existing stores know it, and their names of our config's fields. */
  readonly aliases: { readonly names: readonly string[]; readonly config: Readonly<Record<string, string>> };
  /** Loads what it needs on first use. */
  create(options: EmbeddingModelOptions): Promise<EmbeddingModel>;
};

/** Declares an embedding provider. The module that calls this must not import a vendor's library at load time. */
export function defineEmbeddingProvider<Provider extends EmbeddingProvider>(provider: Provider): Provider {
  return Object.freeze(provider);
}

/** Fields that the configs of several providers share. */
export function modelField(example: string) {
  return z.string().max(200).optional().meta({ title: "Model", placeholder: example });
}

export const credentialField = z.string().max(100).optional().meta({ title: "Credential", widget: "credential" });

export function baseUrlField(placeholder: string) {
  return z.string().max(2_000).optional().meta({ title: "Base URL", placeholder, advanced: true });
}

export const dimensionsField = z.coerce.number().int().min(1).max(16_000).optional().meta({
  title: "Dimensions",
  help: "Length of the vectors, for models that support choosing it. If empty, the model's default.",
  advanced: true,
});
