import { credentialHeaders } from "@weft/engine/http";
import type { ToolContext } from "@weft/engine/ports/tool";
import { type CredentialField, type CredentialType, type CredentialValues, WeftError } from "@weft/schema";
import { readAccessTokens } from "./access-token.ts";

/** Authentication with a vendor. */
export type SignIn = {
  /** The accepted credential, as in `an API key`. */
  takes: string;
  /** Undefined for another type of credential. */
  read(fields: CredentialValues): Signature | undefined;
  /**
   * Its own credential type, whose `host` may receive the credential beside the API's. Absent: a type of HTTP calls.
   */
  credential?: Pick<CredentialType, "name" | "fields"> & { host: string };
};

export type Signature = {
  /** Whether a new signature may succeed after a rejected one. */
  isRenewable: boolean;
  /** Headers of a call; new ones after a rejection. Rejects with an `Error` that explains why there are none. */
  headers(context: ToolContext, renew: boolean): Promise<Record<string, string>>;
};

/** Sign-in happens elsewhere: the tokens are entered here, or imported. */
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

/** On behalf of a person (RFC 6749), with tokens granted by `tokenUrl` to credentials of the type `name`. */
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

/** With the credential's headers. */
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
