import { credentialHeaders } from "@weft/engine/http";
import type { ToolContext } from "@weft/engine/ports/tool";
import { type CredentialValues, WeftError } from "@weft/schema";
import { readAccessTokens } from "./access-token.ts";

/** How a vendor is told who calls. */
export type SignIn = {
  /** The credential that it takes, as in `an API key`. */
  takes: string;
  /** Undefined when the credential is another. */
  read(fields: CredentialValues): Signature | undefined;
};

export type Signature = {
  /** Whether another signature may be accepted where the last one was refused. */
  isRenewable: boolean;
  /** Headers of a call; new ones after a refusal. Rejects with an `Error` that says why there are none. */
  headers(context: ToolContext, renew: boolean): Promise<Record<string, string>>;
};

/** In a person's name, with the tokens that `tokenUrl` grants. */
export function oAuth(tokenUrl: string): SignIn {
  return {
    takes: "an OAuth 2 credential with a client and a refresh token",
    read(fields) {
      const tokens = readAccessTokens(fields, tokenUrl);
      return (
        tokens && {
          isRenewable: true,
          headers: async (context, renew) => ({ authorization: `Bearer ${await tokens.get(context, renew)}` }),
        }
      );
    },
  };
}

/** With the headers that the credential stands for. */
export function withHeadersOf(takes: string): SignIn {
  return {
    takes,
    read(fields) {
      try {
        const headers = credentialHeaders(fields);
        return { isRenewable: false, headers: async () => headers };
      } catch (error) {
        if (error instanceof WeftError) return undefined;
        throw error;
      }
    },
  };
}
