import type { Tables } from "@weft/database";
import type { Identity } from "@weft/http/identity";
import { listOrPage } from "@weft/http/rows";
import {
  type Account,
  type KeysOfRemoved,
  momentAfter,
  type PageQuery,
  type PersonUpdate,
  type Role,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import {
  type AccountRow,
  accounts,
  allAccounts,
  countOwners,
  type IdentityContext,
  removeAccount,
  toAccount,
} from "../accounts/index.ts";
import type { ApiKeyService } from "../api-keys/api-key.service.ts";
import { removeLinksOf } from "./account-link.store.ts";
import { assertMayManage, writeNewRole } from "./rights.ts";

export type PersonChange = { body: PersonUpdate; editor: Identity; assertMatches(current: Account): void };

/** The people of an installation. What holds here follows in other processes within a second. */
export type PersonService = {
  list(page: PageQuery): Promise<Account[] | { data: Account[]; total: number }>;
  get(id: string): Promise<Account>;
  /**
   * Rejects with `forbidden` where the editor has fewer rights than the role before or after, and with `conflict` for
   * the last owner, who stays one.
   */
  update(id: string, change: PersonChange): Promise<Account>;
  /**
   * Removes an account with its sessions. Rejects as `update` does, and with `conflict` if it has API keys and nobody
   * said what becomes of them.
   */
  remove(id: string, request: { keys: KeysOfRemoved | undefined; remover: Identity }): Promise<void>;
  /** Ends every session of an account. */
  signOut(id: string, editor: Identity): Promise<void>;
};

export function createPersonService(
  { database, clock, cache }: IdentityContext,
  apiKeys: ApiKeyService,
): PersonService {
  return {
    list: (query) => listOrPage(allAccounts(database.read), query, toAccount),

    get: async (id) => toAccount(await accounts.get(database.read, id)),

    async update(id, { body, editor, assertMatches }) {
      const updated = await database.write(async (tx) => {
        const row = await lockManaged(tx, id, editor);
        assertMatches(toAccount(row));
        const { role = row.role, name = row.name } = body;
        await assertMayManage(tx, editor, role);
        if (role !== "owner") await assertNotLastOwner(tx, row);
        const next = { ...row, role, name, updatedDate: momentAfter(row.updatedDate, clock.now()) };
        await (role === row.role ? accounts.update(tx, next) : writeNewRole(tx, next));
        return toAccount(next);
      });
      cache.clear();
      return updated;
    },

    async remove(id, { keys, remover }) {
      await database.write(async (tx) => {
        const row = await lockManaged(tx, id, remover);
        await assertNotLastOwner(tx, row);
        await apiKeys.settle(tx, { ownerId: id, keys });
        await removeAccount(tx, id);
        await removeLinksOf(tx, row.email);
      });
      cache.clear();
    },

    async signOut(id, editor) {
      await database.write(async (tx) => {
        const row = await lockManaged(tx, id, editor);
        await accounts.update(tx, { id, tokensValidFrom: momentAfter(row.tokensValidFrom, clock.now()) });
      });
      cache.clear();
    },
  };
}

/** An account that the editor may manage, kept from other writers until the transaction ends. */
async function lockManaged(tx: Kysely<Tables>, id: string, editor: Identity): Promise<AccountRow> {
  const row = await accounts.lock(tx, id);
  await assertMayManage(tx, editor, row.role);
  return row;
}

async function assertNotLastOwner(tx: Kysely<Tables>, { role }: { role: Role }): Promise<void> {
  if (role !== "owner" || (await countOwners(tx)) > 1) return;
  throw new WeftError("conflict", { params: { reason: "There must be an owner. Make someone else an owner first." } });
}
