/** Someone who logged in. */
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
 * Whether someone logged in, or the operator, sends a request: both may edit every agent. The holder of an API key may
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

/**
 * Everything that a route may ask of a key. An account has all of it, an API key what it was given. `chats:write` reads
 * and answers the chats of others; `chats:all` also goes on with those from before chats had owners. `privacy:read` and
 * `privacy:write` export and erase what is kept of a person, in every chat.
 */
export const permissions = [
  "agents:read",
  "agents:write",
  "predictions:run",
  "messages:read",
  "messages:write",
  "chats:write",
  "chats:all",
  "executions:read",
  "executions:write",
  "credentials:read",
  "credentials:write",
  "variables:read",
  "variables:write",
  "tools:read",
  "tools:write",
  "assistants:read",
  "assistants:write",
  "feedback:read",
  "feedback:write",
  "leads:read",
  "leads:write",
  "attachments:write",
  "document-stores:read",
  "document-stores:write",
  "apikeys:read",
  "apikeys:write",
  "privacy:read",
  "privacy:write",
  "server:read",
  "installation:export",
  "installation:import",
] as const;

export type Permission = (typeof permissions)[number];

/** What a key may be given: single permissions, or `*` for all. */
export type Grant = Permission | "*";

export function isPermission(value: string): value is Permission {
  return (permissions as readonly string[]).includes(value);
}

export function isGrant(value: string): value is Grant {
  return value === "*" || isPermission(value);
}

/** What opens the chats of others, or ends them: `*` does not cover it, so that no key has it unless someone names it. */
const namedAlone: ReadonlySet<Grant> = new Set<Grant>(["chats:write", "chats:all", "privacy:read", "privacy:write"]);

/** Whether `held` covers `wanted`. */
export function isGranted(held: ReadonlySet<Grant>, wanted: Grant): boolean {
  return held.has(wanted) || (held.has("*") && !namedAlone.has(wanted));
}
