/** A logged-in person. */
export type AccountIdentity = {
  readonly kind: "account";
  readonly accountId: string;
  readonly email: string;
  /** Changes with what voids every token of the account. */
  readonly generation: string;
  /** Id of the token, so that it can be revoked. */
  readonly tokenId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  readonly grants: ReadonlySet<Grant>;
};

/** Someone who can read DATA_DIR: the holder of a token printed by the command line. */
export type OperatorIdentity = Omit<AccountIdentity, "kind" | "accountId" | "email" | "generation"> & {
  readonly kind: "operator";
};

export type ApiKeyIdentity = {
  readonly kind: "api-key";
  readonly apiKeyId: string;
  /** Changes with the key's value. */
  readonly generation: string;
  readonly keyName: string;
  /** The owner of its chats, shared with the client's other keys. */
  readonly clientId: string;
  /** The account it belongs to. Null: nobody's. */
  readonly ownerId: string | null;
  /** Ids of the agents that it is limited to. */
  readonly agents: "all" | ReadonlySet<string>;
  /** With `chats:all`: owners of the other keys that have it. */
  readonly sharesWith: readonly string[];
  readonly grants: ReadonlySet<Grant>;
};

export type Identity = AccountIdentity | OperatorIdentity | ApiKeyIdentity;

/**
 * Whether the sender is a logged-in person or the operator. The holder of an API key must not count as one, whatever the
 * key's permissions are: keys are given to programs.
 */
export function isAccount(identity: Identity | undefined): boolean {
  return identity !== undefined && identity.kind !== "api-key";
}

/** Whether the sender may change agents, and so see and run their drafts. */
export function mayChangeAgents(identity: Identity | undefined): boolean {
  return identity !== undefined && isGranted(identity.grants, "agents:write");
}

/** Whether the sender is a person who may change every agent. */
export function isAuthor(identity: Identity | undefined): boolean {
  return isAccount(identity) && mayChangeAgents(identity);
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
 * Everything that a route may require. An account has what its role has, an API key what it was granted. `chats:read`
 * reads the chats and runs of others, `chats:write` also answers them; `chats:all` also continues those that predate chat
 * owners. `privacy:read` and `privacy:write` export and erase a person's data, in every chat. `people:write` invites
 * people, gives them roles and removes them. `audit:read` reads who did what.
 */
export const permissions = [
  "agents:read",
  "agents:write",
  "predictions:run",
  "messages:read",
  "messages:write",
  "chats:read",
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
  "people:read",
  "people:write",
  "settings:write",
  "audit:read",
] as const;

export type Permission = (typeof permissions)[number];

/** A key's grant: single permissions, or `*` for all. */
export type Grant = Permission | "*";

export function isPermission(value: string): value is Permission {
  return permissions.some((permission) => permission === value);
}

export function isGrant(value: string): value is Grant {
  return value === "*" || isPermission(value);
}

/**
 * Permissions over people, the chats of others and the audit log. `*` does not cover them: a key has them only where they
 * are named.
 */
const namedAlone: ReadonlySet<Grant> = new Set<Grant>([
  "chats:read",
  "chats:write",
  "chats:all",
  "privacy:read",
  "privacy:write",
  "people:read",
  "people:write",
  "settings:write",
  "audit:read",
]);

/** What the operator and owners hold. */
export const allGrants: ReadonlySet<Grant> = new Set<Grant>(["*", ...namedAlone]);

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

/** The reach of a request's sender: its own chats, and those of others that it may answer. */
export function reachOf(identity: Identity | undefined): Reach {
  return reachWith(identity, ["chats:all", "chats:write"]);
}

/** As `reachOf`, with the chats of others that the sender may read, but not answer. */
export function readingReachOf(identity: Identity | undefined): Reach {
  return reachWith(identity, ["chats:all", "chats:write", "chats:read"]);
}

function reachWith(identity: Identity | undefined, opening: readonly Permission[]): Reach {
  // Requests without credentials present an unguessable id, which opens a chat that predates owners to them.
  if (identity === undefined) return { owners: [ownerOf(identity), noOwner], agents: "all" };
  const isOfAll = opening.some((permission) => isGranted(identity.grants, permission));
  return {
    owners: isOfAll ? "all" : [ownerOf(identity)],
    agents: identity.kind === "api-key" ? identity.agents : "all",
  };
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
  if (identity === undefined) return [noOwner];
  if (!isGranted(identity.grants, "chats:all")) return [];
  return identity.kind === "api-key" ? [noOwner, ...identity.sharesWith] : [noOwner];
}
