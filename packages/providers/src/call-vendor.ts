import { fromConnection, type ModelErrorContext, toRefusal } from "./failure/model-failure.ts";

export type VendorRequest = {
  url: string;
  headers: Record<string, string>;
  /** Absent: a GET request. */
  body?: string | FormData;
  signal: AbortSignal;
  fetch: typeof globalThis.fetch;
};

/**
 * Sends a request to a vendor and resolves with `read`'s result for a 2xx answer. Rejects with a `WeftError` of a
 * `model-*` code (of the context's family), with the signal's reason, or with the error of `read`. Never retries.
 */
export async function callVendor<T>(
  { url, headers, body, signal, fetch }: VendorRequest,
  context: ModelErrorContext,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  let isAnswered = false;
  try {
    const response = await fetch(url, {
      ...(body === undefined ? { method: "GET" } : { method: "POST", body }),
      headers,
      signal,
    });
    isAnswered = response.ok;
    if (response.ok) return await read(response);
    const { status, statusText } = response;
    throw toRefusal(
      { status, statusText, headers: Object.fromEntries(response.headers), body: await response.text() },
      context,
    );
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw fromConnection(error, context, isAnswered) ?? error;
  }
}
