/** A vendor's error. `status` is the HTTP status, or its equivalent inside a stream with status 200. */
export type VendorError = {
  status: number;
  message: string;
  code: string | undefined;
  retryAfterSeconds: number | undefined;
};

/**
 * Reads the error objects of OpenAI and its followers, Anthropic and Google: `{ error: { message, type, code, status }
 * }`, the inner object alone, `{ error: "text" }` (Ollama), `{ detail: "text" }` (FastAPI servers such as vLLM), `{
 * message }`, and a list of invalid fields instead of a text (FastAPI, Mistral). Google adds `details`: a `reason`
 * (google.rpc.ErrorInfo), which then is the `code`, and a `retryDelay` (google.rpc.RetryInfo).
 */
export function readVendorError(value: unknown): VendorError | undefined {
  if (!isRecord(value) || value instanceof Error) return undefined;
  if (isRecord(value.error)) return readVendorError(value.error);
  const message = [value.message, value.error, value.detail, value.Message]
    .map(readMessage)
    .find((text) => text !== undefined);
  if (message === undefined) return undefined;
  const details = Array.isArray(value.details) ? value.details.filter(isRecord) : [];
  const code = [...details.map(({ reason }) => reason), value.code, value.type].find(
    (text) => typeof text === "string",
  );
  const delay = details.map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay))?.[1]).find(Boolean);
  return {
    status: readStatus(value),
    message,
    code,
    retryAfterSeconds: delay === undefined ? undefined : Math.ceil(Number(delay)),
  };
}

function readMessage(said: unknown): string | undefined {
  if (typeof said === "string") return said;
  const problems = isRecord(said) && Array.isArray(said.detail) ? said.detail : said;
  if (!Array.isArray(problems)) return undefined;
  const texts = problems.slice(0, 5).flatMap((problem: unknown) => {
    if (!isRecord(problem) || typeof problem.msg !== "string") return [];
    return Array.isArray(problem.loc) ? `${problem.loc.join(".")}: ${problem.msg}` : problem.msg;
  });
  return texts.length === 0 ? undefined : texts.join("; ");
}

function readStatus(error: Record<string, unknown>): number {
  for (const candidate of [error.statusCode, error.status, error.code]) {
    const status = Number(candidate);
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  const words = `${error.code} ${error.type}`;
  return statusOfWords.find(({ pattern }) => pattern.test(words))?.status ?? 500;
}

const statusOfWords = [
  { pattern: /rate_limit|insufficient_quota/, status: 429 },
  { pattern: /authentication|invalid_api_key/, status: 401 },
  { pattern: /permission/, status: 403 },
  { pattern: /not_found/, status: 404 },
  { pattern: /invalid|context_length|bad_request/, status: 400 },
  { pattern: /overload/, status: 503 },
  { pattern: /timeout/, status: 504 },
];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
