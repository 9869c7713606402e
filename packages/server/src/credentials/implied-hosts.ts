import { type ChatProvider, chatProviders } from "@weft/providers";
import { type CredentialType, credentialTypes, parseBoundHost } from "@weft/schema";

/** Addresses that the operator's configuration puts in the place of a vendor's, empty where there is none. */
export type OperatorAddresses = { openAiBaseUrl: string; ollamaUrl: string };

/** Hosts that a credential may be sent to without being told so: its vendor's, and the address that it holds itself. */
export function impliedHosts(
  credentialName: string,
  fields: Readonly<Record<string, string>>,
  operator: OperatorAddresses,
): string[] {
  const type: CredentialType | undefined = entryOf(credentialTypes, credentialName);
  const addresses = [operatorAddressOf(credentialName, operator), fields.baseUrl ?? ""];
  return [
    ...new Set([
      ...(type?.hosts ?? []),
      ...(entryOf<ChatProvider>(chatProviders, credentialName)?.hosts ?? []),
      ...addresses.flatMap((address) => parseBoundHost(address) ?? []),
    ]),
  ];
}

/** The operator's own key goes to the address that stands for the vendor, or to the vendor. */
export function hostsOfAccount(provider: "openai" | "anthropic" | "google", operator: OperatorAddresses): string[] {
  const own = provider === "openai" ? parseBoundHost(operator.openAiBaseUrl) : undefined;
  return own === undefined ? [...(chatProviders[provider].hosts ?? [])] : [own];
}

/** Where a model of the provider is asked when nothing names an address. */
export function hostsOfProvider(provider: string, operator: OperatorAddresses): string[] {
  return impliedHosts(provider, {}, operator);
}

function operatorAddressOf(name: string, { openAiBaseUrl, ollamaUrl }: OperatorAddresses): string {
  if (name === "openai" || name === "openAIApi" || name === "openai-compatible") return openAiBaseUrl;
  return name === "ollama" || name === "ollamaApi" ? ollamaUrl : "";
}

function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
