import type { Database } from "@weft/database";
import type { Clock } from "@weft/engine";
import { findAccountByEmail, updatePassword } from "./account.store.ts";
import { hashPassword } from "./password.ts";
import { withPassword } from "./token-generation.ts";

/**
 * Sets a password without the present one, and voids every token of the account; a server that runs on the same
 * database follows within five seconds. False when no account has the e-mail address.
 */
export async function resetPassword(
  database: Database,
  clock: Pick<Clock, "now">,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return database.write(async (tx) => {
    const row = await findAccountByEmail(tx, email);
    return row !== undefined && updatePassword(tx, withPassword(row, passwordHash, clock.now()), row.passwordHash);
  });
}
