import { type ErrorCode, type ErrorDefinition, errorCatalogue } from "./error-code.ts";

/** One mistake in a request: where (dotted path) and what to do. */
export type ErrorItem = { path: string; message: string };

/** What an outside service answered when it was the cause. */
export type Upstream = { status: number; retryAfterSeconds?: number };

export type WeftErrorOptions = {
  /** Values for the `{name}` places of the catalogue's message. */
  params?: Record<string, string | number>;
  errors?: ErrorItem[];
  upstream?: Upstream;
  /** Kept for the log only; never leaves the process. */
  cause?: unknown;
  /** The run that was accepted. */
  executionId?: string;
  /** In place of the catalogue's words: those of a failure that was recorded before, or of a model on this server. */
  message?: string;
  /** Overrides the catalogue's default. */
  retryable?: boolean;
  /** Overrides the catalogue's HTTP status where a row of the reference demands another. */
  status?: number;
};

/** The one error that services, nodes and routes raise on purpose. Anything else is a bug and answers `internal`. */
export class WeftError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  readonly errors: ErrorItem[];
  readonly upstream: Upstream | undefined;
  /** The run that was accepted, and whose failure this is. */
  readonly executionId: string | undefined;
  /** The parameter of that name, for the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;
  /** The parameter of that name, for the Allow header. */
  readonly allowed: string | undefined;

  constructor(code: ErrorCode, options: WeftErrorOptions = {}) {
    const definition: ErrorDefinition = errorCatalogue[code];
    super(
      options.message ?? fillTemplate(definition.message, options.params ?? {}),
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = "WeftError";
    this.code = code;
    this.status = options.status ?? definition.status;
    this.title = definition.title;
    this.retryable = options.retryable ?? definition.retryable ?? false;
    this.errors = options.errors ?? [];
    this.upstream = options.upstream;
    this.executionId = options.executionId;
    const retryAfter = options.params?.retryAfterSeconds;
    this.retryAfterSeconds = typeof retryAfter === "number" ? retryAfter : undefined;
    const allowed = options.params?.allowed;
    this.allowed = typeof allowed === "string" ? allowed : undefined;
  }
}

function fillTemplate(template: string, params: Record<string, string | number>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => cut(String(params[name] ?? ""))).trim();
}

/** A message never repeats a whole request or answer. */
function cut(value: string): string {
  return value.length > longestParameter ? `${value.slice(0, longestParameter)}…` : value;
}

const longestParameter = 2_000;

/** The failure of our own that another error was caused by. */
export function findWeftError(error: unknown): WeftError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof WeftError) return current;
    current = current.cause;
  }
  return undefined;
}
