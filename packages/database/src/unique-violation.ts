const sqliteConstraintUnique = 2067;
const sqliteConstraintPrimaryKey = 1555;
const postgresUniqueViolation = "23505";

/** Whether a write failed because a row with the same key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error)
    return error.errcode === sqliteConstraintUnique || error.errcode === sqliteConstraintPrimaryKey;
  return "code" in error && error.code === postgresUniqueViolation;
}
