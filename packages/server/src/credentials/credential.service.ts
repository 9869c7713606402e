import type { Clock, IdSource } from "@weft/engine";
import {
  type Credential,
  type CredentialCreate,
  type CredentialUpdate,
  momentAfter,
  type PageQuery,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { Database } from "../storage/database.ts";
import type { CredentialRow, Tables } from "../storage/tables.ts";
import * as store from "./credential.store.ts";
import { shareRetiredKeys } from "./retired-key.store.ts";
import type { SecretBox } from "./secret-box.ts";
import { mergeSecretFields, type SecretFields } from "./secret-fields.ts";

export type CredentialServiceDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  secretBox: SecretBox;
};

export type CredentialListQuery = PageQuery & store.CredentialFilter;

/**
 * Encrypted secrets. Only `readSecret` yields values; everything else shows their names at most.
 * Every function that takes an id rejects with `not-found` for an unknown one.
 */
export type CredentialService = {
  /** Most recently updated first; complete, or one page when `page` and `limit` are given. */
  list(query: CredentialListQuery): Promise<Credential[] | { data: Credential[]; total: number }>;
  get(id: string): Promise<Credential>;
  /** Rejects with `conflict` when the body's own id is taken. */
  create(body: CredentialCreate): Promise<Credential>;
  /**
   * Merges the given values. Values that cannot be decrypted any more are replaced by the given ones.
   * What `assertCurrent` throws on the credential as it is keeps it so.
   */
  update(id: string, body: CredentialUpdate, assertCurrent?: (current: Credential) => void): Promise<Credential>;
  remove(id: string): Promise<void>;
  /** For the transaction that deletes what a credential belongs to; it need not exist. */
  removeOwned(tx: Kysely<Tables>, id: string): Promise<void>;
  /** The decrypted values, for providers and integrations. Rejects with `credential-unreadable`. */
  readSecret(id: string): Promise<SecretFields>;
};

export function createCredentialService({ database, clock, ids, secretBox }: CredentialServiceDeps): CredentialService {
  const { read } = database;
  // Every write begins with the one row, inserted, locked or deleted: others wait for it and need no retry.
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });
  const seal = async (tx: Kysely<Tables>, fields: SecretFields, id: string) =>
    secretBox.seal(JSON.stringify(fields), id, await shareRetiredKeys(tx, database.dialect));
  const show = (row: CredentialRow) => toCredential(row, openFields(secretBox, row));

  return {
    async list({ page, limit, ...filter }) {
      if (page === undefined || limit === undefined) return (await store.listCredentials(read, filter)).map(show);
      const rows = await store.listCredentials(read, filter, { offset: (page - 1) * limit, limit });
      return { data: rows.map(show), total: await store.countCredentials(read, filter) };
    },

    async get(id) {
      return show(existing(await store.findCredential(read, id), id));
    },

    create({ id = ids.uuid(), name, credentialName, plainDataObj }) {
      const now = toMoment(clock.now());
      return write(async (tx) => {
        const encryptedData = await seal(tx, mergeSecretFields({}, plainDataObj), id);
        const row = { id, name, credentialName, encryptedData, createdDate: now, updatedDate: now };
        if (await store.insertCredential(tx, row)) return show(row);
        throw new WeftError("conflict", { params: { reason: `A credential with the id ${id} exists already.` } });
      });
    },

    update(id, { name, credentialName, plainDataObj }, assertCurrent) {
      return write(async (tx) => {
        const row = existing(await store.lockCredential(tx, id), id);
        assertCurrent?.(show(row));
        const next: CredentialRow = {
          ...row,
          name: name ?? row.name,
          credentialName: credentialName ?? row.credentialName,
          updatedDate: momentAfter(row.updatedDate, clock.now()),
        };
        if (plainDataObj !== undefined) {
          const opened = openFields(secretBox, row);
          const fields = mergeSecretFields(opened.ok ? opened.fields : {}, plainDataObj);
          next.encryptedData = await seal(tx, fields, id);
        }
        await store.updateCredential(tx, next);
        return show(next);
      });
    },

    remove(id) {
      return write(async (tx) => {
        if (!(await store.deleteCredential(tx, id))) throw notFound(id);
      });
    },

    async removeOwned(tx, id) {
      await store.deleteCredential(tx, id);
    },

    async readSecret(id) {
      const opened = openFields(secretBox, existing(await store.findCredential(read, id), id));
      if (!opened.ok) throw new WeftError("credential-unreadable", { params: { id, reason: opened.reason } });
      return opened.fields;
    },
  };
}

type OpenedFields = { ok: true; fields: SecretFields } | { ok: false; reason: string };

function openFields(secretBox: SecretBox, { id, encryptedData }: CredentialRow): OpenedFields {
  const opened = secretBox.open(encryptedData, id);
  return opened.ok ? { ok: true, fields: JSON.parse(opened.plaintext) as SecretFields } : opened;
}

function toCredential({ encryptedData: _, ...row }: CredentialRow, opened: OpenedFields): Credential {
  return { ...row, fields: opened.ok ? Object.keys(opened.fields) : [], readable: opened.ok };
}

function existing(row: CredentialRow | undefined, id: string): CredentialRow {
  if (row === undefined) throw notFound(id);
  return row;
}

function notFound(id: string): WeftError {
  return new WeftError("not-found", { params: { resource: "credential", id } });
}
