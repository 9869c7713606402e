/** Ended by the server, shut out by it, or never let in (SQLSTATE); or broken on the way (Node). */
const codes: readonly unknown[] = [
  ...["57P01", "57P02", "57P03", "25P03", "53300"],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT"],
];

/** What the driver says of a connection that it found broken has no code. */
const sentences = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

/** Whether a query failed because its connection ended or could not be made. What it did not commit was undone. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return codes.includes(code) || String(code).startsWith("08") || sentences.test(error.message);
}
