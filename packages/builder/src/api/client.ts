import { createClient, WeftApiError } from "@weft/client";
import { clearSession, getToken } from "./session.ts";

/** Answers 401 for a wrong password or set-up token as well; that ends no session. */
const signInPaths = /\/auth\/(login|setup|password)$/;

/** Every operation of the API, called as the signed-in user. Signs out when the server rejects the token. */
export const client = createClient({
  baseUrl: "",
  token: getToken,
  async fetch(url, init) {
    const token = getToken();
    const response = await fetch(url, init);
    // A request that was under way while someone signed in again says nothing about the new token.
    if (response.status === 401 && !signInPaths.test(url) && token === getToken()) clearSession();
    return response;
  },
});

export function isApiError(error: unknown): error is WeftApiError {
  return error instanceof WeftApiError;
}
