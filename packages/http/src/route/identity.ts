/** A logged-in person. */
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

/** Someone who can read DATA_DIR: the holder of a token printed by the command line. */
export type OperatorIdentity = Omit<AccountIdentity, "kind" | "accountId" | "email"> & { readonly kind: "operator" };

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

export type Identity = AccountIdentity | OperatorIdentity | ApiKeyIdentity;

/**
 * Whether the sender is a logged-in person or the operator: both may edit every agent. The holder of an API key must
 * not count as one, whatever the key's permissions are: keys are given to programs.
 */
export function isAccount(identity: Identity | undefined): boolean {
  return identity !== undefined && identity.kind !== "api-key";
}

/** The sender's display name; undefined for visitors. */
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

/** The owner of chats that predate chat owners. */
export const noOwner = "";

export function clientOwner(clientId: string): string {
  return `client:${clientId}`;
}

/**
 * The owner of chats, runs and shares of the server's time: `account:<id>`, `client:<id>` for the holder of an API key,
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
 * Everything that a route may require of a key. An account has all of it, an API key what it was granted. `chats:write`
 * reads and answers the chats of others; `chats:all` also continues those that predate chat owners. `privacy:read` and
 * `privacy:write` export and erase a person's data, in every chat.
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

/** A key's grant: single permissions, or `*` for all. */
export type Grant = Permission | "*";

export function isPermission(value: string): value is Permission {
  return (permissions as readonly string[]).includes(value);
}

export function isGrant(value: string): value is Grant {
  return value === "*" || isPermission(value);
}

/**
 * Permissions that open the chats of others, or end them: `*` does not cover them, so that no key has them unless they
 * are named.
 */
const namedAlone: ReadonlySet<Grant> = new Set<Grant>(["chats:write", "chats:all", "privacy:read", "privacy:write"]);

export function isGranted(held: ReadonlySet<Grant>, wanted: Grant): boolean {
  return held.has(wanted) || (held.has("*") && !namedAlone.has(wanted));
}

/**
 * The agents within a caller's reach, and the chats with them. Anything beyond is answered as if it did not exist.
 * Source: contract "Identity".
 */
export type Reach = {
  owners: "all" | readonly string[];
  /** Ids of agents and assistants. */
  agents: "all" | ReadonlySet<string>;
};

export const everything: Reach = { owners: "all", agents: "all" };

/** The reach of a request's sender: its own chats, and those of others if granted. */
export function reachOf(identity: Identity | undefined): Reach {
  // Requests without credentials present an unguessable id, which opens a chat that predates owners to them.
  if (identity === undefined) return { owners: [ownerOf(identity), noOwner], agents: "all" };
  if (identity.kind !== "api-key") return everything;
  const { grants, agents } = identity;
  const isOfAll = isGranted(grants, "chats:all") || isGranted(grants, "chats:write");
  return { owners: isOfAll ? "all" : [ownerOf(identity)], agents };
}

export function reachesAgent(agents: Reach["agents"], agentId: string): boolean {
  return agents === "all" || agents.has(agentId.toLowerCase());
}

/** Whether a chat, or something in it, is within reach. */
export function reaches(reach: Reach, { agentId, owner }: { agentId: string; owner: string }): boolean {
  return reachesAgent(reach.agents, agentId) && (reach.owners === "all" || reach.owners.includes(owner));
}

/**
 * Owners whose chat a message continues, by its id, if its sender has none of that id; in this order. Keys with
 * `chats:all` share theirs, as all keys did before chats had owners.
 */
export function adoptedBy(identity: Identity | undefined): readonly string[] {
  if (identity?.kind !== "api-key") return [noOwner];
  return isGranted(identity.grants, "chats:all") ? [noOwner, ...identity.sharesWith] : [];
}
