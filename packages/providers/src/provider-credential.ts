import type { ChatProvider } from "./chat-provider.ts";

export type ProviderCredential = { apiKey?: string | undefined; baseUrl?: string | undefined };

/**
 * What a provider reads of a stored credential, under the provider's own names or those of existing credentials. A value
 * that is another vendor's is not found: no key is sent to a vendor that it is not for.
 */
export function toProviderCredential(
  { credentialFields }: Pick<ChatProvider, "credentialFields">,
  stored: Readonly<Record<string, string>>,
): ProviderCredential {
  return Object.fromEntries(
    credentialFields.map(({ name, aliases = [] }) => [
      name,
      [name, ...aliases].map((key) => stored[key]).find(isGiven),
    ]),
  );
}

/** Empty text counts as absent. */
export function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
