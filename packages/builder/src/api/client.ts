import { QueryClient } from "@tanstack/react-query";
import { createClient, WeftApiError } from "@weft/client";
import { describeClient } from "../described/describe-client.ts";
import type { Describer } from "../described/describer.ts";
import { describedTexts } from "../languages/index.ts";
import {
  clearSession,
  endSession,
  isRenewalDue,
  isSessionEnded,
  markInUse,
  sessionExpiry,
  sessionGoesOn,
  sessionHeaders,
  setSession,
} from "../session/session.ts";
import { errorStrings } from "../strings.ts";

/** Paths that also answer 401 for a wrong password or set-up token, which does not end the session. */
const signInPaths = /\/auth\/(login|logout|setup|password)$/;

/**
 * Every operation of the API, called as the signed-in user. When the server rejects the token, requests wait until someone
 * signs in again, so that nothing entered is lost; a page that was not used yet signs out.
 */
const sender = createClient({ baseUrl: "", fetch: fetchAsUser });

const texts = describedTexts();

/** `sender`, which answers in the reader's language. */
export const client = texts === undefined ? sender : describeClient(sender, loadDescriber);

let describer: Promise<Describer | undefined> | undefined;

/** Resolves with undefined when it cannot be loaded: texts of the server are in English then. */
function loadDescriber(): Promise<Describer | undefined> {
  describer ??= Promise.all([import("../described/describer.ts"), texts]).then(
    ([{ createDescriber }, loaded]) => loaded && createDescriber(loaded),
    () => undefined,
  );
  return describer;
}

async function fetchAsUser(url: string, init: RequestInit): Promise<Response> {
  const expiry = sessionExpiry();
  const asUser = { ...init, headers: { ...init.headers, ...sessionHeaders } };
  if (!isSessionEnded() || signInPaths.test(url)) {
    const response = await fetch(url, asUser);
    if (expiry !== undefined && response.ok) markInUse();
    if (response.status !== 401 || signInPaths.test(url)) return response;
    // A request sent before someone signed in again says nothing about the new token.
    if (expiry === sessionExpiry() && !endSession()) {
      clearSession();
      return response;
    }
  }
  await sessionGoesOn(init.signal);
  return fetch(url, asUser);
}

/** Gives the entity tag of an answer beside it; the tag is empty when the server names none. */
export async function withEtag<T>(send: (options: { onResponse(response: Response): void }) => Promise<T>) {
  let etag = "";
  const answer = await send({
    onResponse(response) {
      etag = response.headers.get("etag") ?? "";
    },
  });
  return { answer, etag };
}

export function isApiError(error: unknown): error is WeftApiError {
  return error instanceof WeftApiError;
}

/** An error as a sentence for the user. The API's own messages already say what to do and are kept. */
export function errorSentence(error: unknown): string {
  if (error instanceof WeftApiError) return apiSentence(error);
  if (error instanceof TypeError) return errorStrings.unreachable;
  return error instanceof Error && error.message !== "" ? error.message : errorStrings.unknown;
}

/** Messages of the fields that the API rejected, by dotted path. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof WeftApiError)) return {};
  return Object.fromEntries(error.errors.map(({ path, message }) => [path, message]));
}

function apiSentence(error: WeftApiError): string {
  if (error.code === "unknown") return errorStrings.status({ status: error.status });
  const [first] = error.errors;
  if (first === undefined || error.message.includes(first.message)) return error.message;
  return `${error.message} ${first.path === "" ? "" : `${first.path}: `}${first.message}`;
}

const maxRetries = 2;

/** The cache of API responses. Retries only network failures, twice; a request that the API rejected is not retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < maxRetries && !isRefusal(error),
      throwOnError: false,
    },
  },
});

function isRefusal(error: unknown): boolean {
  return error instanceof WeftApiError && error.status < 500;
}

/** Revokes the token. Rejects if the server could not: the browser would still send its cookie. */
export async function signOut(): Promise<void> {
  await client.logOut().catch((error: unknown) => {
    if (!isApiError(error) || error.status !== 401) throw error;
  });
  clearSession();
}

/** Exchanges the token for a new one once half of its life is over, in one tab at a time. Never rejects. */
export async function renewSession(): Promise<void> {
  if (!isRenewalDue()) return;
  await navigator.locks?.request("weft.renew-session", async () => {
    if (!isRenewalDue()) return;
    // A revoked token ends the session by itself; any other failure is retried at the next check.
    await client.refreshToken().then(
      (issued) => setSession(issued),
      () => undefined,
    );
  });
}
