import { hash, randomBytes } from "node:crypto";
import type { Clock, IdSource } from "@weft/engine";
import {
  type ApiKey,
  type ApiKeyCreate,
  type ApiKeyUpdate,
  momentAfter,
  type NewApiKey,
  type PageQuery,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { ApiKeyIdentity, Identity } from "../http/identity.ts";
import { permissions as existingPermissions, type Grant, isGrant, isGranted } from "../http/permissions.ts";
import type { Logger } from "../logger.ts";
import type { Database } from "../storage/database.ts";
import type { ApiKeyRow } from "../storage/tables.ts";
import * as store from "./api-key.store.ts";

export type ApiKeyServiceDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  logger: Logger;
  /** Forgets the identities that were proven before a key changed. */
  forgetIdentities(): void;
};

export type ApiKeyService = {
  list(page: PageQuery): Promise<ApiKey[] | { data: ApiKey[]; total: number }>;
  get(id: string): Promise<ApiKey>;
  /** The answer is the only one that shows the key. Nobody can give what they do not have: `forbidden`. */
  create(body: ApiKeyCreate, creator: Identity): Promise<NewApiKey>;
  update(id: string, change: ApiKeyChange): Promise<ApiKey>;
  /** The key is void at once. */
  remove(id: string): Promise<void>;
  /** Whose key it is; undefined when it is none. Notes its use, at most once a minute. */
  identify(key: string): Promise<ApiKeyIdentity | undefined>;
  /** Resolves with `OK` for a key, without noting that as its use. Rejects with `api-key-unknown` for anything else. */
  verify(key: string): Promise<"OK">;
  /** Id of the key that is meant by a key or by its id. */
  findApiKeyId(keyOrId: string): Promise<string | undefined>;
};

export type ApiKeyChange = { body: ApiKeyUpdate; editor: Identity; assertMatches(current: ApiKey): void };

const keyPrefix = "wk_";
const keyBytes = 32;
const hintCharacters = 8;
const lastUseStepMs = 60_000;

export function createApiKeyService(deps: ApiKeyServiceDeps): ApiKeyService {
  const { database, clock, ids, logger, forgetIdentities } = deps;
  const { read } = database;

  /** Runs beside the request: who uses a key does not wait for the note of it. */
  function noteUse({ id, lastUsedDate }: ApiKeyRow): void {
    if (lastUsedDate !== null && clock.now() - Date.parse(lastUsedDate) < lastUseStepMs) return;
    database
      .write((tx) => store.updateLastUse(tx, id, toMoment(clock.now())), { isolation: "read-committed" })
      .catch((cause: unknown) => logger.warn("api-key-use-not-noted", { apiKeyId: id, cause }));
  }

  return {
    async list({ page, limit }) {
      if (page === undefined || limit === undefined) return (await store.listApiKeys(read)).map(toApiKey);
      const rows = await store.listApiKeys(read, { offset: (page - 1) * limit, limit });
      return { data: rows.map(toApiKey), total: await store.countApiKeys(read) };
    },

    async get(id) {
      return toApiKey(existing(await store.findApiKey(read, id), id));
    },

    async create({ id = ids.uuid(), keyName, permissions }, creator) {
      const grants = assertGivable(permissions, creator);
      const apiKey = keyPrefix + randomBytes(keyBytes).toString("base64url");
      const now = toMoment(clock.now());
      const row: ApiKeyRow = {
        id,
        keyName,
        keyHash: toHash(apiKey),
        keyHint: `${apiKey.slice(0, hintCharacters)}…`,
        permissions: JSON.stringify(grants),
        createdDate: now,
        updatedDate: now,
        lastUsedDate: null,
      };
      if (await database.write((tx) => store.insertApiKey(tx, row))) return { ...toApiKey(row), apiKey };
      throw new WeftError("conflict", { params: { reason: `An API key with the id ${id} exists already.` } });
    },

    async update(id, { body, editor, assertMatches }) {
      const grants = body.permissions && assertGivable(body.permissions, editor);
      const updated = await database.write(async (tx) => {
        const row = existing(await store.findApiKey(tx, id), id);
        assertMatches(toApiKey(row));
        const next: ApiKeyRow = {
          ...row,
          keyName: body.keyName ?? row.keyName,
          permissions: grants === undefined ? row.permissions : JSON.stringify(grants),
          updatedDate: momentAfter(row.updatedDate, clock.now()),
        };
        await store.updateApiKey(tx, next);
        return toApiKey(next);
      });
      forgetIdentities();
      return updated;
    },

    async remove(id) {
      await database.write(async (tx) => {
        if (!(await store.deleteApiKey(tx, id))) throw notFound(id);
      });
      forgetIdentities();
    },

    async identify(key) {
      const row = await store.findApiKeyByHash(read, toHash(key));
      if (row === undefined) return undefined;
      noteUse(row);
      return { kind: "api-key", apiKeyId: row.id, keyName: row.keyName, grants: new Set(toGrants(row)) };
    },

    async verify(key) {
      if ((await store.findApiKeyByHash(read, toHash(key))) === undefined) throw new WeftError("api-key-unknown");
      return "OK";
    },

    async findApiKeyId(keyOrId) {
      const row = await (isApiKey(keyOrId)
        ? store.findApiKeyByHash(read, toHash(keyOrId))
        : store.findApiKey(read, keyOrId.toLowerCase()));
      return row?.id;
    },
  };
}

/** Whether a text can be a key. Ids are none: they are no secret. */
export function isApiKey(text: string): boolean {
  return text.startsWith(keyPrefix);
}

/** A 256-bit random key needs no salt and no slow hash. */
function toHash(key: string): string {
  return hash("sha256", key, "hex");
}

function toGrants({ permissions }: ApiKeyRow): Grant[] {
  return (JSON.parse(permissions) as string[]).filter(isGrant);
}

function toApiKey({ keyHash: _, ...row }: ApiKeyRow): ApiKey {
  return { ...row, permissions: toGrants({ keyHash: _, ...row }) };
}

/** Throws `validation-failed` for permissions that do not exist, `forbidden` for those that the giver does not have. */
function assertGivable(permissions: readonly string[], giver: Identity): Grant[] {
  const grants = [...new Set(permissions)].map((name, index) => {
    if (isGrant(name)) return name;
    const message = `There is no permission ${name.slice(0, 100)}. There are: *, ${existingPermissions.join(", ")}`;
    const errors = [{ path: `permissions.${index}`, message }];
    throw new WeftError("validation-failed", { params: { reason: message }, errors });
  });
  const missing = grants.find((grant) => !isGranted(giver.grants, grant));
  if (missing !== undefined) throw new WeftError("forbidden", { params: { permission: missing } });
  return grants;
}

function existing(row: ApiKeyRow | undefined, id: string): ApiKeyRow {
  if (row === undefined) throw notFound(id);
  return row;
}

function notFound(id: string): WeftError {
  return new WeftError("not-found", { params: { resource: "API key", id } });
}
