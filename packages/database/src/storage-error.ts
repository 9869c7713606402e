import { HostUnavailableError } from "@weft/engine";

/** The database cannot be opened or used as configured. The message tells the operator what to do. */
export class StorageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "StorageError";
  }
}

const sqliteConstraintUnique = 2067;
const sqliteConstraintPrimaryKey = 1555;
const postgresUniqueViolation = "23505";

/** Whether a write failed because a row with the same key exists. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error)
    return error.errcode === sqliteConstraintUnique || error.errcode === sqliteConstraintPrimaryKey;
  return "code" in error && error.code === postgresUniqueViolation;
}

const sqliteConstraint = 19;

/** Whether a write failed because its rows violate a constraint. */
export function isConstraintViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) return (Number(error.errcode) & 0xff) === sqliteConstraint;
  return "code" in error && String(error.code).startsWith("23");
}

const diskIsFull =
  "its disk is full. Free some space there: nothing that was acknowledged is lost, and the server goes on by itself";
/** For data that SQLite wrote and the disk did not store: only a restart reads what is there. */
export const diskFails = "its disk fails. Look after the disk, then restart the server";
const fileIsDamaged =
  "weft.db in DATA_DIR is damaged. Stop the server, keep a copy of the file, and restore a backup (docs/backup.md)";
const isReadOnly = "PostgreSQL takes no writes. Make the database writable, or name another one in DATABASE_URL";
const isBusy = "PostgreSQL did not finish in time. Try again in a moment";
const doesNotAnswer = "the database does not answer";

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
const sqliteReasons: Record<number, string> = { 10: diskFails, 11: fileIsDamaged, 13: diskIsFull, 26: fileIsDamaged };

/** SQLSTATEs of PostgreSQL. */
const reasons: Record<string, string> = {
  "53100": diskIsFull,
  "25006": isReadOnly,
  "57014": isBusy,
  "55P03": isBusy,
};

/** The database cannot work at the moment, through no fault of the caller: `reason` says why and what to do. */
export class DatabaseUnavailableError extends HostUnavailableError {
  readonly reason: string;

  constructor(reason: string, cause: unknown) {
    super(`The database cannot be used: ${reason}.`, { cause });
    this.name = "DatabaseUnavailableError";
    this.reason = reason;
  }
}

/**
 * Maps the failure of a query or transaction: a `DatabaseUnavailableError` if that is the cause, else the failure
 * itself.
 */
export function toDatabaseFailure(failure: unknown): unknown {
  const reason = findReason(failure);
  return reason === undefined ? failure : new DatabaseUnavailableError(reason, failure);
}

/** Whether more writes to the file would make it worse. */
export function isDamage(failure: unknown): failure is DatabaseUnavailableError {
  return failure instanceof DatabaseUnavailableError && failure.reason === fileIsDamaged;
}

function findReason(failure: unknown): string | undefined {
  if (!(failure instanceof Error) || failure instanceof DatabaseUnavailableError) return undefined;
  return reasonOf(failure) ?? findReason(failure.cause);
}

function reasonOf(error: Error): string | undefined {
  if ("errcode" in error) return sqliteReasons[Number(error.errcode) & 0xff];
  const code = "code" in error ? String(error.code) : "";
  if (Object.hasOwn(reasons, code)) return reasons[code];
  return isConnectionLost(error) || error.message === "timeout exceeded when trying to connect"
    ? doesNotAnswer
    : undefined;
}

/** Ended or rejected by the server (SQLSTATE); or broken on the way (Node). */
const codes: readonly unknown[] = [
  ...["57P01", "57P02", "57P03", "25P03", "53300"],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT"],
];

/** The driver's errors for a broken connection have no code. */
const sentences = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

/** Whether a query failed because its connection ended or could not be made. Uncommitted work was rolled back. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return codes.includes(code) || String(code).startsWith("08") || sentences.test(error.message);
}
