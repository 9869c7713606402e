const maxReasonCharacters = 500;
/** Shorter texts are not secrets, and redacting them would garble the message. */
const minSecretCharacters = 4;

/** A vendor's message made safe to show: one line, bounded, without the given secrets. */
export function toReason(text: string, secrets: readonly string[]): string {
  let reason = text;
  for (const secret of secrets) {
    if (secret.length >= minSecretCharacters) reason = reason.replaceAll(secret, "[secret]");
  }
  reason = reason.replaceAll(/\s+/g, " ").trim();
  return reason.length > maxReasonCharacters ? `${reason.slice(0, maxReasonCharacters)}…` : reason;
}

/** Whether `fetch` itself failed, as opposed to a bug in our own code. */
export function isNetworkError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (
    error.name === "AbortError" ||
    error.name === "TimeoutError" ||
    findCode(error) !== undefined ||
    error.message === "fetch failed"
  );
}

/** Why a server could not be reached, in words rather than error codes where possible. */
export function describeNetworkError(error: unknown, secrets: readonly string[]): string {
  const code = findCode(error);
  const words = code === undefined ? undefined : wordsOfCode[code];
  return words ?? toReason(error instanceof Error ? error.message : "the connection failed", secrets);
}

const wordsOfCode: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name could not be looked up",
  ETIMEDOUT: "connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
  UND_ERR_SOCKET: "connection closed",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
};

function findCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    const code = "code" in current ? current.code : undefined;
    if (typeof code === "string" && /^(E[A-Z]|UND_ERR)/.test(code)) return code;
    current = current.cause;
  }
  return undefined;
}
