/** What the API said when it refused or failed. Not thrown for failures of the network: those stay what `fetch` threw. */
export class WeftApiError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** Stable name of the error, `unknown` when the answer was not the API's own. */
  readonly code: string;
  /** Each mistake of the request with the dotted path to it. */
  readonly errors: readonly { path: string; message: string }[];
  /** Names the request in the server's log; empty when the answer was not the API's own. */
  readonly requestId: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** How long to wait before that, when the server said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Pick<Response, "status" | "headers">, text: string) {
    const body = parseBody(text);
    super(typeof body.message === "string" ? body.message : `The server answered with status ${response.status}.`);
    this.name = "WeftApiError";
    this.status = response.status;
    this.code = typeof body.code === "string" ? body.code : "unknown";
    this.errors = Array.isArray(body.errors) ? body.errors : [];
    this.requestId = typeof body.requestId === "string" ? body.requestId : "";
    this.retryable = body.retryable === true;
    const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
    this.retryAfterSeconds = Number.isNaN(retryAfter) ? undefined : retryAfter;
  }
}

function parseBody(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
