import { WeftError } from "@weft/schema";
import type { ChatModelOptions, EmbeddingModelOptions } from "../define-provider.ts";
import type { ModelErrorContext } from "../failure/model-failure.ts";
import { createTokenSource, parseServiceAccount, type ServiceAccount, type TokenSource } from "./service-account.ts";

type VertexAccess = Pick<
  ChatModelOptions | EmbeddingModelOptions,
  "apiKey" | "baseUrl" | "credential" | "fetch" | "reveal"
>;

/** Placeholder for everything before `/models/…`, which is only known once the key is read. */
export const placeholderUrl = "https://vertex.invalid";

const globalUrl = "https://aiplatform.googleapis.com";

/**
 * A `fetch` that replaces `placeholderUrl` by Vertex AI: below the project and region of a service account, with its
 * token, or without either by an API key. Rejects with `credential-host` if the account may not be used for the host,
 * and with the codes of the context if it gets no token.
 */
export function createVertexFetch(access: VertexAccess, context: ModelErrorContext): typeof globalThis.fetch {
  const { apiKey = "", baseUrl = globalUrl, credential = {}, fetch, reveal = (key) => key } = access;
  const { host } = new URL(baseUrl);
  let source: { text: string; account: ServiceAccount; tokens: TokenSource } | undefined;

  /** The account is read for each request, so that a revoked key is not used. */
  function openAccount(): typeof source {
    const text = reveal(apiKey, host);
    if (!/^\s*\{/.test(text)) return undefined;
    if (source?.text === text) return source;
    const account = parseServiceAccount(text);
    if (account === undefined) {
      const reason = "its service account is not the JSON of a key. Enter the whole file.";
      const code = context.family === "embedding" ? "embedding-not-configured" : "model-not-configured";
      throw new WeftError(code, { params: { model: context.id, reason } });
    }
    source = { text, account, tokens: createTokenSource(account, context) };
    return source;
  }

  return async (input, init = {}) => {
    const path = String(input instanceof Request ? input.url : input).slice(placeholderUrl.length);
    const headers = new Headers(init.headers);
    const opened = openAccount();
    if (opened === undefined) {
      headers.set("x-goog-api-key", apiKey);
      return fetch(`${baseUrl}/v1/publishers/google${path}`, { ...init, headers });
    }
    const token = await opened.tokens.get(init.signal ?? new AbortController().signal, fetch);
    headers.delete("x-goog-api-key");
    headers.set("authorization", `Bearer ${token}`);
    const project = encodeURIComponent(credential.projectId ?? opened.account.project_id);
    const region = credential.region ?? /^([a-z]+-[a-z]+\d+)-aiplatform\./.exec(host)?.[1] ?? "global";
    const place = `/v1/projects/${project}/locations/${region}/publishers/google`;
    return fetch(baseUrl + place + path, { ...init, headers });
  };
}
