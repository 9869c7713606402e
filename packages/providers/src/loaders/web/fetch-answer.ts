import { credentialHeaders } from "@weft/engine/http";
import type { LoaderServices } from "@weft/engine/ports/document-loader";
import type { HttpResponse } from "@weft/engine/ports/http-client";
import { WeftError } from "@weft/schema";
import type { RequestSettings } from "./request-fields.ts";

export type Exchange = {
  settings: RequestSettings;
  /** From `credentialHeaders`. They and the headers of the settings are sent only to `origin`. */
  secret: { origin: string; headers: Record<string, string> };
  services: LoaderServices;
  signal: AbortSignal;
};

export type AnswerRequest = { method?: string; url: string; headers?: Record<string, string>; body?: string };

/** Prepares a loader's requests to one site. Rejects if the credential cannot be used. */
export async function openExchange(
  url: string,
  settings: RequestSettings,
  { services, signal }: { services: LoaderServices; signal: AbortSignal },
): Promise<Exchange> {
  const { credential } = settings;
  const headers = credential ? credentialHeaders(await services.readCredential(credential)) : {};
  return { settings, secret: { origin: new URL(url).origin, headers }, services, signal };
}

/** Any response. Rejects with an `egress-*` error if there is none. */
export async function fetchAnswer(request: AnswerRequest, exchange: Exchange): Promise<HttpResponse> {
  const { settings, secret, services, signal } = exchange;
  const isOwnSite = URL.parse(request.url)?.origin === secret.origin;
  const { method = "GET", url, headers = {}, body } = request;
  return services.http.request({
    method,
    url,
    headers: { ...headers, ...(isOwnSite && { ...toLowerCase(settings.headers), ...secret.headers }) },
    ...(body !== undefined && { body }),
    timeoutMs: settings.timeoutMs,
    maxBytes: settings.maxBytes,
    signal,
  });
}

/** A successful response. Rejects with a descriptive `egress-failed` for any other status. */
export async function fetchSuccess(request: AnswerRequest, exchange: Exchange): Promise<HttpResponse> {
  const response = await fetchAnswer(request, exchange);
  if (response.status >= 200 && response.status < 300) return response;
  throw new WeftError("egress-failed", {
    params: { url: request.url, reason: `it returned status ${response.status}, ${adviceFor(response.status)}` },
    retryable: response.status === 429 || response.status >= 500,
    upstream: { status: response.status },
  });
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return "so it requires authentication: choose a credential";
  if (status === 404 || status === 410) return "so the page does not exist: check the address";
  if (status === 429 || status >= 500) return "so it is currently unavailable: try again later";
  return "which is not a page: check the address";
}

function toLowerCase(headers: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}
