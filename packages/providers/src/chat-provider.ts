import type { ChatModel } from "@weft/engine";

/** One field of a provider's credential, as the credential form shows it. */
export type CredentialField = {
  name: string;
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

/** A vendor of chat models: data for forms plus one function. */
export type ChatProvider = {
  /** As a flow names it. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly credentialFields: readonly CredentialField[];
  /** Whether a model cannot be used without an `apiKey`. */
  readonly needsApiKey: boolean;
  /** Whether a model cannot be used without a `baseUrl`. */
  readonly needsBaseUrl: boolean;
  /** Model ids that forms suggest, the default first. Any other id may be given. */
  readonly models: readonly string[];
  /** Loads the vendor's library on first use; resolves at once for a vendor without one. */
  create(options: ChatModelOptions): Promise<ChatModel>;
};
