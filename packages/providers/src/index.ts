export type { ChatModelOptions, ChatProvider, CredentialField } from "./chat-provider.ts";
export { defineChatProvider } from "./define-provider.ts";
export {
  createModelResolver,
  defaultProviderName,
  type ModelDefaults,
  type ModelResolverDeps,
} from "./model-resolver.ts";
export { type ChatProviderName, chatProviders, isChatProviderName } from "./registry.ts";
export { rehearsalLabel } from "./rehearsal/label.ts";
