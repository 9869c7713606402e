import type { ChatModel } from "@weft/engine";

/** One field of a provider's credential, as the credential form shows it. */
export type CredentialField = {
  name: string;
  /** Names under which existing credentials keep the same value. */
  aliases?: readonly string[];
  title: string;
  help?: string;
  /** Write-only, stored encrypted, never shown again. */
  secret: boolean;
  required: boolean;
};

export type ChatModelOptions = {
  model: string;
  apiKey?: string | undefined;
  /** Without a trailing slash, as in `https://api.openai.com/v1`. Absent: the vendor's own address. */
  baseUrl?: string | undefined;
  /** The egress client's `fetch`: the only way out of the process. */
  fetch: typeof globalThis.fetch;
};

/** The operator's accounts with vendors. `openai` is also that of an OpenAI-compatible server. */
export type AccountName = "openai" | "anthropic" | "google" | "ollama";

/** A vendor of chat models: data for forms plus one function. */
export type ChatProvider = {
  /** As a flow names it. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly credentialFields: readonly CredentialField[];
  /** Without which a model cannot be used. */
  readonly needs: readonly ("apiKey" | "baseUrl")[];
  /** The operator's account that it shares, and the variable that sets its key. Absent: it calls nobody. */
  readonly account?: { readonly name: AccountName; readonly keyVariable?: string };
  /** The vendor's own hosts, which a credential of the provider may be sent to; default none. See `parseBoundHost`. */
  readonly hosts?: readonly string[];
  /** Whether pictures can be sent to its models. Which of the models can see is the vendor's to say. */
  readonly acceptsImages: boolean;
  /** Model ids that forms suggest, the default first. Any other id may be given. */
  readonly models: readonly string[];
  /** Loads the vendor's library on first use; resolves at once for a vendor without one. */
  create(options: ChatModelOptions): Promise<ChatModel>;
};

/**
 * Declares a chat provider. The module that calls this must not import the vendor's library at load time:
 * `create` imports it, so that an unused vendor costs nothing at start.
 */
export function defineChatProvider(provider: ChatProvider): ChatProvider {
  return Object.freeze(provider);
}

/** The optional address of a provider's credential. */
export function baseUrlField(help: string): CredentialField {
  return { name: "baseUrl", title: "Base URL", help, secret: false, required: false };
}
