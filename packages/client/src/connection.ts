import { WeftApiError } from "./weft-api-error.ts";

export type ClientOptions = {
  /** Origin of the server, such as `http://localhost:3000`; a path before `/api` is kept. Empty: the page's own origin. */
  baseUrl: string;
  /** A token or an API key, or a function that gives the present one. Without it only open operations answer. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Default: the platform's own. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** Sends a request with the token. Resolves with a successful answer, throws `WeftApiError` for any other. */
export type Send = (path: string, init: RequestInit & { headers: Record<string, string> }) => Promise<Response>;

export function createConnection({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Send {
  const origin = baseUrl.replace(/\/+$/, "");
  return async (path, init) => {
    const bearer = typeof token === "function" ? await token() : token;
    const authorization = bearer === undefined ? undefined : { authorization: `Bearer ${bearer}` };
    const response = await fetch(`${origin}${path}`, { ...init, headers: { ...authorization, ...init.headers } });
    if (!response.ok) throw new WeftApiError(response, await response.text());
    return response;
  };
}
