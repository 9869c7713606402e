import type { ChatProvider } from "./chat-provider.ts";

/**
 * Declares a chat provider. The module that calls this must not import the vendor's library at load time:
 * `create` imports it, so that an unused vendor costs nothing at start.
 */
export function defineChatProvider(provider: ChatProvider): ChatProvider {
  return Object.freeze(provider);
}
