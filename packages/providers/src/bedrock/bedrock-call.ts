import type { ChatModelOptions, EmbeddingModelOptions } from "../define-provider.ts";
import { signAwsRequest } from "./aws-signature.ts";

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

/** The default region. */
export const defaultRegion = "us-east-1";

/**
 * The regions that have Bedrock. A key is bound to their hosts: other names under `amazonaws.com` can belong to anyone.
 */
const regions = [
  ...["us-east-1", "us-east-2", "us-west-1", "us-west-2", "ca-central-1", "ca-west-1", "sa-east-1", "mx-central-1"],
  ...["eu-central-1", "eu-central-2", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1", "eu-west-2", "eu-west-3"],
  ...["ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1", "ap-south-2", "ap-southeast-1"],
  ...["ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-7", "ap-east-2"],
  ...["af-south-1", "il-central-1", "me-central-1", "me-south-1", "us-gov-east-1", "us-gov-west-1"],
];

export const bedrockHosts: readonly string[] = regions.map((region) => `bedrock-runtime.${region}.amazonaws.com`);

/** The address of a region; undefined for an unknown one. */
export function toBedrockUrl(region: string): string | undefined {
  return /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/.test(region) ? `https://bedrock-runtime.${region}.amazonaws.com` : undefined;
}

/** The region in an AWS address. */
function regionOf(url: URL): string | undefined {
  return /(?:^|\.)bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?amazonaws\.com$/.exec(url.hostname)?.[1];
}
