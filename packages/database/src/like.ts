import { type Expression, type SqlBool, sql } from "kysely";

/** A text as part of a `like` pattern, with `\` as the escape character. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** Case-insensitive for ASCII letters, the only ones that both databases fold in text columns. */
export function isLike(text: Expression<unknown>, pattern: string) {
  const lower = pattern.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return sql<SqlBool>`lower(${text}) like ${lower} escape ${sql.lit("\\")}`;
}
