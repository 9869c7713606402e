import { anthropicProvider } from "./anthropic/anthropic.ts";
import type { ChatProvider } from "./chat-provider.ts";
import { googleProvider } from "./google/google.ts";
import { ollamaProvider } from "./ollama/ollama.ts";
import { openaiProvider } from "./openai/openai.ts";
import { openaiCompatibleProvider } from "./openai-compatible/openai-compatible.ts";
import { rehearsalProvider } from "./rehearsal/rehearsal.ts";

/** Every chat provider by the name that flows use. A new provider is one folder and one line here. */
export const chatProviders = {
  openai: openaiProvider,
  "openai-compatible": openaiCompatibleProvider,
  anthropic: anthropicProvider,
  google: googleProvider,
  ollama: ollamaProvider,
  rehearsal: rehearsalProvider,
} as const satisfies Record<string, ChatProvider>;

export type ChatProviderName = keyof typeof chatProviders;

export function isChatProviderName(name: string): name is ChatProviderName {
  return Object.hasOwn(chatProviders, name);
}
