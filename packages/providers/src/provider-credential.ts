import type { Vendor } from "./define-provider.ts";
import { providers } from "./registry.ts";

/** Empty text counts as absent. */
export function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}

export type KeyQuestion = {
  provider: Vendor;
  /** The key that would be sent. */
  apiKey: string | undefined;
  /** Destination; absent: the vendor itself. */
  baseUrl: string | undefined;
  /** Fields of the chosen credential; absent: none was chosen. */
  stored: Readonly<Record<string, string>> | undefined;
  /** Whether the flow sets the address itself. */
  isOwnAddress: boolean;
};

/**
 * Why nothing may be sent, as text after "cannot be used: ", or undefined if there is a key or none is needed. A
 * credential without a key for the provider is an error, never a reason to call without one.
 */
export function missingKeyReason(question: KeyQuestion): string | undefined {
  const { provider, apiKey, baseUrl, stored, isOwnAddress } = question;
  if (isGiven(apiKey)) return undefined;
  if (stored !== undefined) return reasonOfCredential(provider, stored);
  const vendor = vendorAt(baseUrl);
  if (vendor !== undefined) return `${vendor} needs an API key. Choose a credential.`;
  if (!provider.needs.includes("apiKey")) return undefined;
  if (isOwnAddress) return "a custom base URL requires its own credential. Choose one in the flow.";
  const [variable] = provider.account?.keyVariables ?? [];
  return `it needs an API key. Choose a credential in the flow, or ask the operator to set ${variable}.`;
}

/** A credential with only an address belongs to a server without keys. */
function reasonOfCredential(
  { needs, title }: KeyQuestion["provider"],
  stored: Readonly<Record<string, string>>,
): string | undefined {
  const names = Object.keys(stored).filter((name) => name !== "baseUrl" && isGiven(stored[name]));
  if (names.length > 0) {
    return `its credential has no apiKey for ${title}, only ${names.slice(0, 5).join(", ")}. Enter the key as apiKey, or choose another credential.`;
  }
  if (needs.includes("apiKey") || !isGiven(stored.baseUrl)) return "its credential has no apiKey. Enter one.";
  return undefined;
}

/** The address of a vendor that rejects requests without a key. */
function vendorAt(baseUrl: string | undefined): string | undefined {
  const host = URL.parse(baseUrl ?? "")?.host;
  return providers
    .flatMap(({ needs, hosts }) => (needs.includes("apiKey") ? hosts : []))
    .find((vendor) => vendor === host);
}
