import { credentialHeaders } from "@weft/engine/http";
import type { ToolContext } from "@weft/engine/ports/tool";
import { type CredentialField, type CredentialType, type CredentialValues, WeftError } from "@weft/schema";
import { readAccessTokens } from "./access-token.ts";

/** How a vendor is told who calls. */
export type SignIn = {
  /** The credential that it takes, as in `an API key`. */
  takes: string;
  /** Undefined when the credential is another. */
  read(fields: CredentialValues): Signature | undefined;
  /** A type of its own, whose `host` the credential is sent to beside the API's. Absent: a type of HTTP calls. */
  credential?: Pick<CredentialType, "name" | "fields"> & { host: string };
};

export type Signature = {
  /** Whether another signature may be accepted where the last one was refused. */
  isRenewable: boolean;
  /** Headers of a call; new ones after a refusal. Rejects with an `Error` that says why there are none. */
  headers(context: ToolContext, renew: boolean): Promise<Record<string, string>>;
};

/** Signing in happens elsewhere: the tokens are entered here, or imported. */
const oAuthFields: readonly CredentialField[] = [
  { name: "clientId", title: "Client ID", secret: false, required: true },
  { name: "clientSecret", title: "Client secret", secret: true, required: false },
  { name: "refresh_token", title: "Refresh token", secret: true, required: true },
  {
    name: "accessTokenUrl",
    title: "Access token URL",
    help: "Only where it is another than the vendor's, as for one tenant of Microsoft.",
    secret: false,
    required: false,
  },
];

/** In a person's name (RFC 6749), with the tokens that `tokenUrl` grants to credentials of the type `name`. */
export function oAuth(name: string, tokenUrl: string): SignIn {
  return {
    credential: { name, fields: oAuthFields, host: new URL(tokenUrl).host },
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
