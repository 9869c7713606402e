import { FlowiseSourceError } from "../flowise-source-error.ts";

/** An address for display, without user and password. Throws if it cannot be parsed. */
export function showAddress(address: string): string {
  // The parser's own error contains the address.
  const url = URL.parse(address);
  if (url === null) {
    throw new FlowiseSourceError(
      "The address of the database cannot be read. Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, with special characters percent-encoded.",
    );
  }
  return `${url.protocol}//${url.host}${url.pathname}`;
}

type Reasons = { password: readonly string[]; database: readonly string[] };

/** Explains why a server could not be used, or why reading stopped. */
export function toServerFailure(shown: string, reasons: Reasons, cause: unknown): FlowiseSourceError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const message = cause instanceof Error && cause.message !== "" ? cause.message : code;
  return new FlowiseSourceError(`${shown} ${sentenceOf(code, reasons) ?? `cannot be read: ${message}`}`, { cause });
}

function sentenceOf(code: string, { password, database }: Reasons): string | undefined {
  if (password.includes(code)) return "refuses this user with this password.";
  if (database.includes(code)) return "has no such database. Name the one of Flowise at the end of the address.";
  const isSilent = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH"].includes(code);
  return isSilent ? `does not answer (${code}). Check the host and the port, and that the server runs.` : undefined;
}
