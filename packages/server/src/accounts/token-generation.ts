import type { AccountRow } from "@weft/database";
import { momentAfter } from "@weft/schema";

/**
 * The generation that a valid token of the account belongs to. It is compared, not the time of issue: a log-in that was
 * under way while the password changed, or a clock that is behind, cannot bring forth a token that outlives the change.
 */
export function toGeneration({ tokensValidFrom }: Pick<AccountRow, "tokensValidFrom">): number {
  return Date.parse(tokensValidFrom);
}

/** What changes with a password: every token of the account is void. */
export function withPassword(row: AccountRow, passwordHash: string, nowMs: number): AccountRow {
  return {
    ...row,
    passwordHash,
    tokensValidFrom: momentAfter(row.tokensValidFrom, nowMs),
    updatedDate: momentAfter(row.updatedDate, nowMs),
  };
}
