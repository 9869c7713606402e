import { createHash, createHmac } from "node:crypto";

export type AwsKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };

export type AwsRequest = { url: URL; headers: Readonly<Record<string, string>>; body: string };

type Scope = { region: string; service: string; at: Date };

/**
 * The headers of a POST signed with AWS Signature Version 4. (https://docs.aws.amazon.com/IAM/latest/UserGuide, "Create
 * a signed AWS API request".) Signs all given headers and the host.
 */
export function signAwsRequest(request: AwsRequest, keys: AwsKeys, { region, service, at }: Scope) {
  const { url, body } = request;
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const own = { "x-amz-date": time, ...(keys.sessionToken && { "x-amz-security-token": keys.sessionToken }) };
  const headers: Record<string, string> = { ...request.headers, ...own };
  const signed = Object.entries({ ...headers, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replaceAll(/ +/g, " ")] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    "POST",
    toCanonicalPath(url.pathname),
    toCanonicalQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    sha256(body),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`);
  const signature = hmac(key, text).toString("hex");
  const credential = `${keys.accessKeyId}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** Encodes each segment of the path a second time, as every service but S3 requires. */
function toCanonicalPath(path: string): string {
  return path.split("/").map(encode).join("/");
}

function toCanonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
}

function encode(text: string): string {
  const toHex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, toHex);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
