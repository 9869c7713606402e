/** What a vendor says went wrong. `status` is the HTTP status, or the one that its words mean inside a stream of 200. */
export type VendorError = { status: number; message: string; code: string | undefined };

/**
 * Reads the error objects of OpenAI and its followers: `{ error: { message, type, code } }`, the inner object alone,
 * `{ error: "text" }` (Ollama), `{ detail: "text" }` (FastAPI servers such as vLLM) and `{ message }`.
 */
export function readVendorError(value: unknown): VendorError | undefined {
  if (!isRecord(value) || value instanceof Error) return undefined;
  if (isRecord(value.error)) return readVendorError(value.error);
  const message = [value.message, value.error, value.detail].find((text) => typeof text === "string");
  if (message === undefined) return undefined;
  const code = typeof value.code === "string" ? value.code : textOf(value.type);
  return { status: readStatus(value), message: message as string, code };
}

function readStatus(error: Record<string, unknown>): number {
  for (const candidate of [error.statusCode, error.status, error.code]) {
    const status = Number(candidate);
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  const words = `${textOf(error.code) ?? ""} ${textOf(error.type) ?? ""}`;
  return statusOfWords.find(({ pattern }) => pattern.test(words))?.status ?? 500;
}

const statusOfWords = [
  { pattern: /rate_limit|insufficient_quota/, status: 429 },
  { pattern: /authentication|invalid_api_key/, status: 401 },
  { pattern: /invalid|context_length|bad_request/, status: 400 },
  { pattern: /overload/, status: 503 },
];

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
