import { hash, randomBytes } from "node:crypto";
import type { Tables } from "@weft/database";
import { type ApiKeyIdentity, clientOwner, type Grant, type Identity, type Reach } from "@weft/http/identity";
import { listOrPage } from "@weft/http/rows";
import {
  type ApiKey,
  type ApiKeyCreate,
  type ApiKeyUpdate,
  type KeysOfRemoved,
  momentAfter,
  type NewApiKey,
  type PageQuery,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import { findAccount, type IdentityContext, isTokenShaped } from "../accounts/index.ts";
import { grantsOf, heldByBoth } from "../roles.ts";
import * as store from "./api-key.store.ts";
import { type ApiKeyRow, allApiKeys, rows } from "./api-key.store.ts";
import {
  agentsReachedBy,
  assertAgentsExist,
  assertGivable,
  assertReachGivable,
  toAgents,
  toGrants,
} from "./api-key-grants.ts";

/** Whether an agent or an assistant has the id. */
export type AgentExists = (tx: Kysely<Tables>, id: string) => Promise<boolean>;

export type ApiKeyService = {
  list(page: PageQuery): Promise<ApiKey[] | { data: ApiKey[]; total: number }>;
  get(id: string): Promise<ApiKey>;
  /** Only this response shows the key. Nobody can give what they do not have: `forbidden`. */
  create(body: ApiKeyCreate, creator: Identity): Promise<NewApiKey>;
  /**
   * Imports a key of another server, with its value and its id. False if the id or the value exists: then nothing is
   * written.
   */
  adopt(key: AdoptedKey): Promise<boolean>;
  update(id: string, change: ApiKeyChange): Promise<ApiKey>;
  /**
   * Gives a key another value, which this answer alone shows; the one before is void at once. Its id, client, agents and
   * permissions stay, so agents that are bound to it stay bound and its chats go on. Rejects with `forbidden` where the
   * rotator lacks some of what the key has.
   */
  rotate(id: string, rotator: Identity): Promise<NewApiKey>;
  /** Voids the key at once. */
  remove(id: string): Promise<void>;
  /** What becomes of an account's keys when it is removed. Rejects with `conflict` if it has some and `keys` is absent. */
  settle(tx: Kysely<Tables>, removed: { ownerId: string; keys: KeysOfRemoved | undefined }): Promise<void>;
  /** The identity of a key; undefined if it is not one. Records its use, at most once a minute. */
  identify(key: string): Promise<ApiKeyIdentity | undefined>;
  /** The identity with what its key is and may be now; undefined if the key or its value is gone. Not a use. */
  recall(identity: ApiKeyIdentity): Promise<ApiKeyIdentity | undefined>;
  /** Resolves with `OK` for a key, without recording a use. Rejects with `api-key-unknown` for anything else. */
  verify(key: string): Promise<"OK">;
  /** The key with this value or id; undefined if there is none. Does not count as a use. */
  find(keyOrId: string): Promise<{ id: string; agents: Reach["agents"] } | undefined>;
};

export type AdoptedKey = Pick<ApiKey, "id" | "keyName" | "createdDate" | "updatedDate"> & {
  /** Its value. `isApiKey` is true of it. */
  apiKey: string;
  permissions: readonly Grant[];
};

export type ApiKeyChange = { body: ApiKeyUpdate; editor: Identity; assertMatches(current: ApiKey): void };

const keyPrefix = "wk_";
const keyBytes = 32;
const hintCharacters = 8;
const longestKey = 512;
const lastUseStepMs = 60_000;

export function createApiKeyService(context: IdentityContext, agentExists: AgentExists): ApiKeyService {
  const { database, cache } = context;
  const { read } = database;
  const giving = { ...context, agentExists };

  return {
    list: (query) => listOrPage(allApiKeys(read), query, toApiKey),

    get: async (id) => toApiKey(await rows.get(read, id)),

    create: (body, creator) => createKey(giving, body, creator),

    adopt: ({ apiKey, permissions, id, ...shown }) => {
      const row = { ...shown, ...keptOf(apiKey), id, clientId: id, agents: "[]", ownerId: null, lastUsedDate: null };
      return database.write((tx) => store.insertApiKey(tx, { ...row, permissions: JSON.stringify(permissions) }));
    },

    async update(id, change) {
      const updated = await updateKey(giving, id, change);
      cache.clear();
      return updated;
    },

    async rotate(id, rotator) {
      const rotated = await rotateKey(context, id, rotator);
      cache.clear();
      return rotated;
    },

    async remove(id) {
      await database.write((tx) => rows.remove(tx, id));
      cache.clear();
    },

    settle: settleKeys,

    async identify(key) {
      const row = isApiKey(key) ? await store.findApiKeyByHash(read, toHash(key)) : undefined;
      if (row === undefined) return undefined;
      const held = await heldBy(read, row);
      if (held === undefined) return undefined;
      noteUse(context, row);
      return toKeyIdentity(read, row, held);
    },

    async recall(identity) {
      const row = await rows.find(read, identity.apiKeyId);
      if (row?.keyHash !== identity.generation) return undefined;
      const grants = await heldBy(read, row);
      return grants && { ...identity, grants, agents: agentsReachedBy(row) };
    },

    async verify(key) {
      if ((await store.findApiKeyByHash(read, toHash(key))) === undefined) throw new WeftError("api-key-unknown");
      return "OK";
    },

    async find(keyOrId) {
      const row = await (isApiKey(keyOrId)
        ? store.findApiKeyByHash(read, toHash(keyOrId))
        : rows.find(read, keyOrId.toLowerCase()));
      return row && { id: row.id, agents: agentsReachedBy(row) };
    },
  };
}

/** Keys are limited to agents that exist. */
type Giving = IdentityContext & { agentExists: AgentExists };

async function createKey(
  { database, clock, ids, agentExists }: Giving,
  { id = ids.uuid(), keyName, permissions, agents, clientId }: ApiKeyCreate,
  creator: Identity,
): Promise<NewApiKey> {
  const grants = assertGivable(permissions, creator);
  assertReachGivable({ agents, clientId }, creator);
  const { apiKey, ...value } = newValue();
  const now = toMoment(clock.now());
  const row: ApiKeyRow = {
    id,
    keyName,
    ...value,
    permissions: JSON.stringify(grants),
    clientId: clientId ?? id,
    agents: JSON.stringify(agents),
    ownerId: ownerOfKeysBy(creator),
    createdDate: now,
    updatedDate: now,
    lastUsedDate: null,
  };
  const isNew = await database.write(async (tx) => {
    await assertAgentsExist(agents, { exists: (id) => agentExists(tx, id) });
    return store.insertApiKey(tx, row);
  });
  if (isNew) return { ...toApiKey(row), apiKey };
  throw new WeftError("conflict", { params: { reason: `An API key with the id ${id} already exists.` } });
}

async function updateKey(
  { database, clock, agentExists }: Giving,
  id: string,
  { body, editor, assertMatches }: ApiKeyChange,
): Promise<ApiKey> {
  const grants = body.permissions && assertGivable(body.permissions, editor);
  assertReachGivable(body, editor);
  return database.write(async (tx) => {
    const row = await rows.get(tx, id);
    assertMatches(toApiKey(row));
    await assertAgentsExist(body.agents ?? [], {
      exists: (agent) => agentExists(tx, agent),
      present: toAgents(row),
    });
    const next: ApiKeyRow = {
      ...row,
      keyName: body.keyName ?? row.keyName,
      permissions: grants === undefined ? row.permissions : JSON.stringify(grants),
      agents: body.agents === undefined ? row.agents : JSON.stringify(body.agents),
      clientId: body.clientId ?? row.clientId,
      updatedDate: momentAfter(row.updatedDate, clock.now()),
    };
    await store.updateApiKey(tx, next);
    return toApiKey(next);
  });
}

async function settleKeys(
  tx: Kysely<Tables>,
  { ownerId, keys }: { ownerId: string; keys: KeysOfRemoved | undefined },
): Promise<void> {
  if (keys === "remove") return store.removeKeysOf(tx, ownerId);
  if (keys === "keep") return store.giveUpKeysOf(tx, ownerId);
  const count = await store.countKeysOf(tx, ownerId);
  if (count === 0) return;
  const reason = `The account has ${count} API keys. Choose keys=remove to revoke them, or keys=keep to leave them valid.`;
  throw new WeftError("conflict", { params: { reason } });
}

async function rotateKey({ database, clock }: IdentityContext, id: string, rotator: Identity): Promise<NewApiKey> {
  const { apiKey, ...value } = newValue();
  return database.write(async (tx) => {
    const row = await rows.get(tx, id);
    assertGivable(toGrants(row), rotator);
    assertReachGivable({ agents: toAgents(row), clientId: row.clientId }, rotator);
    const next = { ...row, ...value, updatedDate: momentAfter(row.updatedDate, clock.now()) };
    await store.updateApiKey(tx, next);
    return { ...toApiKey(next), apiKey };
  });
}

/** In the background: a key's user does not wait until its use is recorded. */
function noteUse({ database, clock, logger }: IdentityContext, { id, lastUsedDate }: ApiKeyRow): void {
  if (lastUsedDate !== null && clock.now() - Date.parse(lastUsedDate) < lastUseStepMs) return;
  database
    .write((tx) => rows.update(tx, { id, lastUsedDate: toMoment(clock.now()) }), { isolation: "read-committed" })
    .catch((cause: unknown) => logger.warn("api-key-use-not-noted", { apiKeyId: id, cause }));
}

/** Whether a text can be a key: one of ours, or another server's. An id cannot be one: it is not secret. */
export function isApiKey(text: string): boolean {
  return text !== "" && text.length <= longestKey && !uuidPattern.test(text) && !isTokenShaped(text);
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A 256-bit random key needs no salt and no slow hash. */
function toHash(key: string): string {
  return hash("sha256", key, "hex");
}

function toApiKey(row: ApiKeyRow): ApiKey {
  const { keyHash: _, ...shown } = row;
  return { ...shown, permissions: toGrants(row), agents: toAgents(row) };
}

/** A new key, and the parts stored of it. */
function newValue() {
  const apiKey = keyPrefix + randomBytes(keyBytes).toString("base64url");
  return { apiKey, ...keptOf(apiKey) };
}

function keptOf(apiKey: string) {
  return { keyHash: toHash(apiKey), keyHint: `${apiKey.slice(0, hintCharacters)}…` };
}

/** The owner of new keys: a key's own are its owner's. */
function ownerOfKeysBy(creator: Identity): string | null {
  if (creator.kind === "operator") return null;
  return creator.kind === "account" ? creator.accountId : creator.ownerId;
}

/** What a key may do at this moment: no more than its owner, if it has one. Undefined if that account is gone. */
async function heldBy(read: Kysely<Tables>, row: ApiKeyRow): Promise<ReadonlySet<Grant> | undefined> {
  const own = new Set(toGrants(row));
  if (row.ownerId === null) return own;
  const owner = await findAccount(read, row.ownerId);
  return owner && heldByBoth(own, grantsOf(owner.role));
}

/** The sender of requests with a key. */
async function toKeyIdentity(
  read: Kysely<Tables>,
  row: ApiKeyRow,
  grants: ReadonlySet<Grant>,
): Promise<ApiKeyIdentity> {
  const { id: apiKeyId, keyHash: generation, keyName, clientId, ownerId } = row;
  return {
    kind: "api-key",
    apiKeyId,
    generation,
    keyName,
    clientId,
    ownerId,
    grants,
    agents: agentsReachedBy(row),
    sharesWith: grants.has("chats:all") ? await otherSharers(read, clientId) : [],
  };
}

/** Owners of chats that keys with `chats:all` go on with, besides their own. */
async function otherSharers(read: Kysely<Tables>, clientId: string): Promise<string[]> {
  const sharing = (await allApiKeys(read).execute()).filter((row) => toGrants(row).includes("chats:all"));
  return [...new Set(sharing.map((row) => clientOwner(row.clientId)))].filter(
    (owner) => owner !== clientOwner(clientId),
  );
}
