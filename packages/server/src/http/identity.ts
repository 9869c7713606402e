import type { Grant } from "./permissions.ts";

/** Somebody who logged in. */
export type AccountIdentity = {
  readonly kind: "account";
  readonly accountId: string;
  /** Id of the token, so that it can be revoked. */
  readonly tokenId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  readonly grants: ReadonlySet<Grant>;
};

/** Who can read DATA_DIR: the holder of a token printed by the command line. */
export type OperatorIdentity = Omit<AccountIdentity, "kind" | "accountId"> & { readonly kind: "operator" };

/** The holder of an API key. */
export type ApiKeyIdentity = {
  readonly kind: "api-key";
  readonly apiKeyId: string;
  readonly keyName: string;
  readonly grants: ReadonlySet<Grant>;
};

/** Who sends a request. */
export type Identity = AccountIdentity | OperatorIdentity | ApiKeyIdentity;
