import type { ChatProvider, CredentialField } from "./chat-provider.ts";

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
