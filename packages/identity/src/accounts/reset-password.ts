import type { Database } from "@weft/database";
import type { WallClock } from "@weft/engine/ports/clock";
import { momentAfter } from "@weft/schema";
import type { AccountRow } from "./account.store.ts";
import { findAccountByEmail, updatePassword } from "./account.store.ts";
import { hashPassword } from "./password.ts";

/**
 * Sets a password without the current one, and voids every token of the account; a server that runs on the same
 * database follows within a second. False if no account has the e-mail address.
 */
export async function resetPassword(
  database: Database,
  clock: WallClock,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return database.write(async (tx) => {
    const row = await findAccountByEmail(tx, email);
    return row !== undefined && updatePassword(tx, withPassword(row, passwordHash, clock.now()), row.passwordHash);
  });
}

/**
 * The generation that a valid token of the account belongs to. It is compared, not the time of issue: a log-in that was
 * under way while the password changed, or a clock that is behind, cannot bring forth a token that outlives the change.
 */
export function toGeneration({ tokensValidFrom }: { tokensValidFrom: string }): number {
  return Date.parse(tokensValidFrom);
}

/** Changing a password voids every token of the account. */
export function withPassword(row: AccountRow, passwordHash: string, nowMs: number): AccountRow {
  return {
    ...row,
    passwordHash,
    tokensValidFrom: momentAfter(row.tokensValidFrom, nowMs),
    updatedDate: momentAfter(row.updatedDate, nowMs),
  };
}
