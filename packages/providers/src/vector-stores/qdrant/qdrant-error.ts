import { WeftError } from "@weft/schema";
import { findWeftError } from "../../failure/model-failure.ts";
import { describeNetworkError, isNetworkError, toReason } from "../../failure/vendor-reason.ts";
import { QdrantRefusal, QdrantUnreadable } from "./qdrant-api.ts";

/** The status of a refusal; undefined for any other failure. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof QdrantRefusal ? error.status : undefined;
}

/** What the server or the way to it did, as a failure of the store. An egress refusal stays what it is, and so does a bug. */
export function toQdrantError(error: unknown, secrets: readonly string[]): unknown {
  if (error instanceof QdrantRefusal) {
    const said = toReason(wordsOf(error), secrets).replace(/\.$/, "");
    return failed(describe(error.status, said), error.status === 429 || error.status >= 500);
  }
  if (error instanceof QdrantUnreadable) return failed("its answer is not JSON from Qdrant. Check the address.", false);
  const known = findWeftError(error);
  if (known !== undefined && !known.code.startsWith("egress-")) return known;
  if (known?.code === "egress-refused") return known;
  if (known !== undefined) return failed(known.message, known.retryable);
  if (!isNetworkError(error)) return error;
  return failed(`it could not be reached: ${describeNetworkError(error.cause ?? error, secrets)}.`, true);
}

function describe(status: number, said: string): string {
  if (status === 401 || status === 403) return `it refuses the API key (status ${status}). Correct the credential.`;
  return `it answers with status ${status}: ${said}.`;
}

/** Qdrant's own words: `{ status: { error: "…" } }`. */
function wordsOf({ data }: QdrantRefusal): string {
  const status = typeof data === "object" && data !== null && "status" in data ? data.status : undefined;
  const words = typeof status === "object" && status !== null && "error" in status ? status.error : undefined;
  return typeof words === "string" ? words : "it gave no reason";
}

function failed(reason: string, retryable: boolean): WeftError {
  return new WeftError("vector-store-failed", { params: { store: "qdrant", reason }, retryable });
}
