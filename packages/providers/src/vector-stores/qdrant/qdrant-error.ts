import { QdrantClientResourceExhaustedError } from "@qdrant/js-client-rest";
import { WeftError } from "@weft/schema";
import { findWeftError } from "../../failure/model-failure.ts";
import { describeNetworkError, isNetworkError, toReason } from "../../failure/vendor-reason.ts";

/** The status of a refusal; undefined for any other failure. The library's error class is not exported. */
export function statusOf(error: unknown): number | undefined {
  const isRefusal = error instanceof Error && "status" in error && "data" in error;
  return isRefusal && typeof error.status === "number" ? error.status : undefined;
}

/** What the server or the way to it did, as a failure of the store. An egress refusal stays what it is, and so does a bug. */
export function toQdrantError(error: unknown, secrets: readonly string[]): unknown {
  const status = statusOf(error);
  if (status !== undefined) {
    const said = toReason(wordsOf(error), secrets).replace(/\.$/, "");
    return failed(describe(status, said), status === 429 || status >= 500);
  }
  // The library's reading of Retry-After is cut short, so it is not passed on.
  if (error instanceof QdrantClientResourceExhaustedError) return failed(describe(429, "too many requests"), true);
  const known = findWeftError(error);
  if (known !== undefined && !known.code.startsWith("egress-")) return known;
  if (known?.code === "egress-refused") return known;
  if (known !== undefined) return failed(known.message, known.retryable);
  if (error instanceof SyntaxError) return unreadable();
  if (!isNetworkError(error)) return error;
  return failed(`it could not be reached: ${describeNetworkError(error.cause ?? error, secrets)}.`, true);
}

function describe(status: number, said: string): string {
  if (status === 401 || status === 403) return `it refuses the API key (status ${status}). Correct the credential.`;
  return `it answers with status ${status}: ${said}.`;
}

/** Qdrant's own words: `{ status: { error: "…" } }`. */
function wordsOf(error: unknown): string {
  const { data } = error as { data: unknown };
  const status = typeof data === "object" && data !== null && "status" in data ? data.status : undefined;
  const words = typeof status === "object" && status !== null && "error" in status ? status.error : undefined;
  return typeof words === "string" ? words : "it gave no reason";
}

/** What came is not Qdrant's. */
export function unreadable(): WeftError {
  return failed("its answer is no JSON of Qdrant's. Check the address.", false);
}

function failed(reason: string, retryable: boolean): WeftError {
  return new WeftError("vector-store-failed", { params: { store: "qdrant", reason }, retryable });
}
