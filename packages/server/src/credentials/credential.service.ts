import { type Database, keepUntilChange, type Tables } from "@weft/database";
import type { SecretVault } from "@weft/egress";
import type { IdSource } from "@weft/engine/ports/clock";
import { ifFound } from "@weft/http";
import { listOrPage, type RowDates } from "@weft/http/rows";
import {
  type Credential,
  type CredentialCreate,
  type CredentialUpdate,
  coversHost,
  momentAfter,
  type PageQuery,
  redactedCredentialValue,
  toDestination,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import {
  allCredentials,
  type CredentialFilter,
  type CredentialRow,
  listSealed,
  readConfirmations,
  readHosts,
  rows,
} from "./credential.store.ts";
import { impliedHosts, isPlainField, type OperatorAddresses } from "./credential-types.ts";
import { type KeyPlace, loadEncryptionKeys, openEncryptionKeys, shareRetiredKeys } from "./encryption-keys.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";

export type CredentialServiceDeps = {
  database: Database;
  clock: { now(): number };
  ids: IdSource;
  secretBox: SecretBox;
  /** Replaces placeholders with secrets at the network edge. */
  vault: SecretVault;
  operator: OperatorAddresses;
};

export type CredentialListQuery = PageQuery & CredentialFilter;

/**
 * Encrypted secrets. Only `readSecret` yields values; everything else shows their names at most.
 * Every function that takes an id rejects with `not-found` for an unknown one.
 */
export type CredentialService = {
  /** Most recently updated first; complete, or one page if `page` and `limit` are given. */
  list(query: CredentialListQuery): Promise<Credential[] | { data: Credential[]; total: number }>;
  get(id: string): Promise<Credential>;
  has(id: string): Promise<boolean>;
  /** Rejects with `conflict` if the body's own id is taken. The hosts that it names are confirmed by `by`. */
  create(body: CredentialCreate, by?: Confirmer, dates?: RowDates): Promise<Credential>;
  /**
   * Merges the given values. Values that can no longer be decrypted are replaced by the given ones.
   * If `assertCurrent` throws, the credential stays unchanged. Hosts that it adds are confirmed by `by`.
   */
  update(id: string, body: CredentialUpdate, options?: UpdateOptions): Promise<Credential>;
  remove(id: string): Promise<void>;
  /** For the transaction that deletes a credential's owner; the credential need not exist. */
  removeOwned(tx: Kysely<Tables>, id: string): Promise<void>;
  /**
   * Allows it to be sent to hosts. Rejects with `destination-not-yours` for an API key that did not create the
   * credential.
   */
  confirm(id: string, destinations: { hosts: readonly string[]; by: Confirmer }): Promise<Credential>;
  /** Adds, once, hosts that it could be sent to before confirmations were recorded. Ignores an unknown credential. */
  adopt(id: string, hosts: readonly string[]): Promise<void>;
  /** Rejects with `not-found` if the host is not in its list. */
  removeDestination(id: string, host: string): Promise<Credential>;
  /**
   * The values for code that sends them: placeholders that the egress client replaces, only at the hosts of the
   * credential.
   * Rejects with `credential-unreadable`.
   */
  readPlaceholders(id: string): Promise<SecretFields>;
  /** Seals the texts of other features' records, with the keys and the rotation of credentials. */
  sealing: Sealing;
  /** The decrypted values, for signing or verifying here; never sent. Rejects with `credential-unreadable`. */
  readSecret(id: string): Promise<SecretFields>;
};

/** The person or program that allows destinations. */
export type Confirmer = {
  /** Display name. */
  name: string;
  /** As returned by `ownerOf`. */
  owner: string;
  isKey: boolean;
};

/** See `sealedColumns`, which has to name the column. */
export type Sealing = {
  seal(tx: Kysely<Tables>, text: string, recordId: string): Promise<string>;
  /** Throws `credential-unreadable` if no key opens it. */
  unseal(sealed: string, recordId: string): string;
};

type UpdateOptions = { by?: Confirmer; assertCurrent?: (current: Credential) => void };

/** The credentials of a database, sealed with keys that are given or in a folder. Rejects like `openEncryptionKeys`. */
export async function openCredentials({
  keys,
  ...deps
}: Omit<CredentialServiceDeps, "secretBox"> & { keys: KeyPlace }): Promise<CredentialService> {
  const secretBox = createSecretBox(await openEncryptionKeys(deps.database, keys));
  return createCredentialService({ ...deps, secretBox });
}

/** Cached rows that runs used and that have not changed since, still encrypted. */
const keptCredentials = 500;

export function createCredentialService(deps: CredentialServiceDeps): CredentialService {
  const { database, clock, ids, secretBox, operator } = deps;
  const { read } = database;
  const kept = keepUntilChange<CredentialRow>(database, ["credentials"], keptCredentials);
  const getKept = (id: string) => kept(id, () => rows.get(read, id));
  // Every write begins with the one row, inserted, locked or deleted: others wait for it and need no retry.
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });
  const sealText = async (tx: Kysely<Tables>, text: string, id: string) =>
    secretBox.seal(text, id, await shareRetiredKeys(tx, database.dialect));
  const seal = (tx: Kysely<Tables>, fields: SecretFields, id: string) => sealText(tx, JSON.stringify(fields), id);
  const show = (row: CredentialRow) => toCredential(row, openFields(secretBox, row), operator);

  return {
    list: (query) => listOrPage(allCredentials(read, query), query, show),

    has: async (id) => (await rows.find(read, id)) !== undefined,

    get: async (id) => show(await rows.get(read, id)),

    create({ id = ids.uuid(), name, credentialName, plainDataObj, hosts = [] }, by, dates) {
      const now = toMoment(clock.now());
      return write(async (tx) => {
        const encryptedData = await seal(tx, mergeSecretFields({}, plainDataObj), id);
        const row = {
          ...{ id, name, credentialName, encryptedData, createdBy: by?.owner ?? null },
          ...withHosts({ hosts: "[]", confirmations: "{}" }, hosts, { by, now }),
          ...(dates ?? { createdDate: now, updatedDate: now }),
        };
        return show(await rows.insert(tx, row));
      });
    },

    update(id, { name, credentialName, plainDataObj, hosts }, { by, assertCurrent } = {}) {
      return write(async (tx) => {
        const row = await rows.lock(tx, id);
        assertCurrent?.(show(row));
        if (uncovered(hosts ?? [], readHosts(row.hosts)).length > 0) assertMayConfirm(row, by);
        const next: CredentialRow = {
          ...row,
          ...(hosts && withHosts(row, hosts, { by, now: toMoment(clock.now()) })),
          name: name ?? row.name,
          credentialName: credentialName ?? row.credentialName,
          updatedDate: momentAfter(row.updatedDate, clock.now()),
        };
        if (plainDataObj !== undefined) {
          const opened = openFields(secretBox, row);
          const fields = mergeSecretFields(opened.ok ? opened.fields : {}, plainDataObj);
          next.encryptedData = await seal(tx, fields, id);
        }
        await rows.update(tx, next);
        return show(next);
      });
    },

    remove: (id) => write((tx) => rows.remove(tx, id)),

    async removeOwned(tx, id) {
      await ifFound(rows.remove(tx, id));
    },

    confirm: (id, { hosts, by }) =>
      write(async (tx) => {
        const row = await rows.lock(tx, id);
        const added = uncovered(hosts, [...readHosts(row.hosts), ...show(row).impliedHosts]);
        if (added.length === 0) return show(row);
        assertMayConfirm(row, by);
        const now = toMoment(clock.now());
        const next = { ...row, ...withHosts(row, [...readHosts(row.hosts), ...added], { by, now }) };
        await rows.update(tx, { ...next, updatedDate: momentAfter(row.updatedDate, clock.now()) });
        return show(next);
      }),

    adopt: (id, hosts) =>
      write(async (tx) => {
        const row = await ifFound(rows.lock(tx, id));
        if (row === undefined) return;
        const added = uncovered(hosts, [...readHosts(row.hosts), ...show(row).impliedHosts]);
        await rows.update(tx, { ...row, ...withHosts(row, [...readHosts(row.hosts), ...added], { now: "" }) });
      }),

    removeDestination: (id, host) =>
      write(async (tx) => {
        const row = await rows.lock(tx, id);
        const left = readHosts(row.hosts).filter((each) => each !== host);
        if (left.length === readHosts(row.hosts).length) {
          throw new WeftError("not-found", { params: { resource: "destination", id: toDestination(host) } });
        }
        const next = { ...row, ...withHosts(row, left, { now: "" }) };
        await rows.update(tx, { ...next, updatedDate: momentAfter(row.updatedDate, clock.now()) });
        return show(next);
      }),

    sealing: {
      seal: sealText,
      unseal(sealed, id) {
        const opened = secretBox.open(sealed, id);
        if (opened.ok) return opened.plaintext;
        throw new WeftError("credential-unreadable", { params: { id, reason: opened.reason } });
      },
    },

    readPlaceholders: async (id) => placeholdersOf(deps, await getKept(id)),

    readSecret: async (id) => openOrThrow(secretBox, await getKept(id)),
  };
}

/** What no key of the folder opens, with the reason. */
export async function findUnreadable(read: Kysely<Tables>, { dataDir, given }: KeyPlace) {
  const secretBox = createSecretBox(await loadEncryptionKeys(dataDir, given));
  return (await listSealed(read)).flatMap(({ table, id, name, sealed }) => {
    const opened = secretBox.open(sealed, id);
    return opened.ok ? [] : [{ table, id, name, reason: opened.reason }];
  });
}

/**
 * Lists the secret values of all stored credentials that can be opened, so that a caller can remove them from a text.
 */
export async function listSecretValues(read: Kysely<Tables>, { dataDir, given }: KeyPlace): Promise<string[]> {
  const all = await allCredentials(read, {}).execute();
  if (all.length === 0) return [];
  const secretBox = createSecretBox(await loadEncryptionKeys(dataDir, given));
  return all.flatMap((row) => {
    const opened = openFields(secretBox, row);
    if (!opened.ok) return [];
    const secrets = Object.entries(opened.fields).filter(
      ([field]) => !isPlainField(field, row.credentialName, opened.fields),
    );
    return secrets.map(([, value]) => value);
  });
}

type OpenedFields = { ok: true; fields: SecretFields } | { ok: false; reason: string };

function openFields(secretBox: SecretBox, { id, encryptedData }: CredentialRow): OpenedFields {
  const opened = secretBox.open(encryptedData, id);
  return opened.ok ? { ok: true, fields: JSON.parse(opened.plaintext) as SecretFields } : opened;
}

function openOrThrow(secretBox: SecretBox, row: CredentialRow): SecretFields {
  const opened = openFields(secretBox, row);
  if (opened.ok) return opened.fields;
  throw new WeftError("credential-unreadable", { params: { id: row.id, reason: opened.reason } });
}

/** The values for the caller: plain fields as they are, placeholders for the secret ones. */
function placeholdersOf({ secretBox, vault, operator }: CredentialServiceDeps, row: CredentialRow): SecretFields {
  const fields = openOrThrow(secretBox, row);
  const hosts = [...readHosts(row.hosts), ...impliedHosts(row.credentialName, fields, operator)];
  const lent = Object.entries(fields).map(([field, value]): [string, string] => [
    field,
    isPlainField(field, row.credentialName, fields) || value.trim() === ""
      ? value
      : vault.placeholderFor(`${row.id} ${field}`, { value, name: row.name, hosts, id: row.id }),
  ]);
  return Object.fromEntries(lent);
}

function toCredential(row: CredentialRow, opened: OpenedFields, operator: OperatorAddresses): Credential {
  const { encryptedData: _, confirmations: __, createdBy: ___, ...shown } = row;
  const fields = opened.ok ? opened.fields : {};
  const confirmed = readConfirmations(row.confirmations);
  return {
    ...shown,
    fields: Object.keys(fields),
    readable: opened.ok,
    hosts: readHosts(row.hosts),
    destinations: readHosts(row.hosts).map((host) => ({
      destination: toDestination(host),
      confirmedBy: confirmed[host]?.by ?? null,
      confirmedDate: confirmed[host]?.at ?? null,
    })),
    impliedHosts: impliedHosts(row.credentialName, fields, operator),
  };
}

type ConfirmedHosts = Pick<CredentialRow, "hosts" | "confirmations">;

/** Replaces the row's hosts: confirmations are kept, and new hosts are confirmed now, if there is a confirmer. */
function withHosts(
  row: ConfirmedHosts,
  hosts: readonly string[],
  { by, now }: { by?: Confirmer | undefined; now: string },
): ConfirmedHosts {
  const before = readHosts(row.hosts);
  const confirmed = readConfirmations(row.confirmations);
  const kept = hosts.flatMap((host) => {
    if (before.includes(host)) return confirmed[host] === undefined ? [] : [[host, confirmed[host]] as const];
    return by === undefined ? [] : [[host, { by: by.name, at: now }] as const];
  });
  return { hosts: JSON.stringify(hosts), confirmations: JSON.stringify(Object.fromEntries(kept)) };
}

function assertMayConfirm({ name, createdBy }: CredentialRow, by: Confirmer | undefined): void {
  if (!by?.isKey || by.owner === createdBy) return;
  throw new WeftError("destination-not-yours", { params: { name } });
}

function uncovered(hosts: readonly string[], covering: readonly string[]): string[] {
  return [...new Set(hosts)].filter((host) => !coversHost(covering, host));
}

/** The values of a credential by field name. */
type SecretFields = Record<string, string>;

/** Values as a client sends them: numbers and flags are stored as text. */
type GivenFields = Record<string, string | number | boolean | null>;

/** Merges given values into the stored ones: `""` and the redaction marker change nothing, null removes. */
function mergeSecretFields(stored: SecretFields, given: GivenFields): SecretFields {
  const merged = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) merged.delete(name);
    else if (value !== "" && value !== redactedCredentialValue) merged.set(name, String(value));
  }
  return Object.fromEntries(merged);
}
