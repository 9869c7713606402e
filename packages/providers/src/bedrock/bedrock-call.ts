import type { ChatModelOptions, EmbeddingModelOptions } from "../define-provider.ts";
import { signAwsRequest } from "./aws-signature.ts";
import { defaultRegion, regionOf, toBedrockUrl } from "./regions.ts";

/** The model options that select the endpoint and the credential. */
export type BedrockAccess = Pick<
  ChatModelOptions | EmbeddingModelOptions,
  "apiKey" | "baseUrl" | "credential" | "reveal"
>;

/**
 * The address and headers of a request, signed if the credential has an access key ID; otherwise the key is a Bedrock
 * API key. Throws `credential-host` if the keys may not be used for the host.
 */
export function toBedrockCall(access: BedrockAccess, path: string, body: string) {
  const { apiKey = "", credential = {}, reveal = (key) => key } = access;
  const url = new URL((access.baseUrl ?? toBedrockUrl(defaultRegion)) + path);
  const headers = { "content-type": "application/json" };
  const { accessKeyId, sessionToken, region } = credential;
  if (accessKeyId === undefined)
    return { url: url.href, body, headers: { ...headers, authorization: `Bearer ${apiKey}` } };
  const keys = {
    accessKeyId,
    secretAccessKey: reveal(apiKey, url.host),
    sessionToken: sessionToken && reveal(sessionToken, url.host),
  };
  const scope = { region: regionOf(url) ?? region ?? defaultRegion, service: "bedrock", at: new Date() };
  return { url: url.href, body, headers: signAwsRequest({ url, headers, body }, keys, scope) };
}

/** Secrets to redact from messages. */
export function secretsOf({ apiKey, credential }: BedrockAccess): string[] {
  return [apiKey, credential?.sessionToken].filter((text) => text !== undefined);
}
