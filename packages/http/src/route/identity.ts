import type { Grant } from "./permissions.ts";

/** Somebody who logged in. */
export type AccountIdentity = {
  readonly kind: "account";
  readonly accountId: string;
  readonly email: string;
  /** Id of the token, so that it can be revoked. */
  readonly tokenId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  readonly grants: ReadonlySet<Grant>;
};

/** Who can read DATA_DIR: the holder of a token printed by the command line. */
export type OperatorIdentity = Omit<AccountIdentity, "kind" | "accountId" | "email"> & { readonly kind: "operator" };

/** The holder of an API key. */
export type ApiKeyIdentity = {
  readonly kind: "api-key";
  readonly apiKeyId: string;
  readonly keyName: string;
  /** The owner of its chats, shared with the client's other keys. */
  readonly clientId: string;
  /** Ids of the agents that it is limited to. */
  readonly agents: "all" | ReadonlySet<string>;
  /** With `chats:all`: owners of the other keys that have it. */
  readonly sharesWith: readonly string[];
  readonly grants: ReadonlySet<Grant>;
};

/** Who sends a request. */
export type Identity = AccountIdentity | OperatorIdentity | ApiKeyIdentity;

/**
 * Whether somebody logged in, or the operator, sends a request: both may edit every agent. The holder of an API key may
 * not be held for one, whatever the key's permissions are: keys are given to programs.
 */
export function isAccount(identity: Identity | undefined): boolean {
  return identity !== undefined && identity.kind !== "api-key";
}

/** The sender of a request, as people know it; undefined for visitors. */
export function nameOf(identity: Identity | undefined): string | undefined {
  switch (identity?.kind) {
    case "account":
      return identity.email;
    case "operator":
      return "operator";
    default:
      return identity?.keyName;
  }
}

/** The owner of chats from before chats had owners. */
export const noOwner = "";

export function clientOwner(clientId: string): string {
  return `client:${clientId}`;
}

/**
 * Whom chats, runs and shares of the server's time belong to: `account:<id>`, `client:<id>` for the holder of an API key,
 * or `anonymous`. Source: contract "Identity".
 */
export function ownerOf(identity: Identity | undefined): string {
  switch (identity?.kind) {
    case "account":
      return `account:${identity.accountId}`;
    case "operator":
      return "account:operator";
    case "api-key":
      return clientOwner(identity.clientId);
    default:
      return "anonymous";
  }
}
