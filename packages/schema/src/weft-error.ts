import { type ErrorCode, type ErrorDefinition, errorCatalogue } from "./error-code.ts";

/** One mistake in a request: where (dotted path) and what to do. */
export type ErrorItem = { path: string; message: string };

/** An outside service's answer that caused the failure. */
export type Upstream = { status: number; retryAfterSeconds?: number };

export type WeftErrorOptions = {
  /** Values for the `{name}` placeholders of the catalogue's message. */
  params?: Record<string, string | number>;
  errors?: ErrorItem[];
  upstream?: Upstream;
  /** For the log only; never leaves the process. */
  cause?: unknown;
  /** The run that was accepted. */
  executionId?: string;
  /** Replaces the catalogue's message: that of a failure recorded before, or of a model on this server. */
  message?: string;
  /** Overrides the catalogue's default. */
  retryable?: boolean;
  /** Overrides the catalogue's HTTP status if a row of the reference demands another. */
  status?: number;
};

/** The only error that services, nodes and routes raise on purpose. Anything else is a bug and answers `internal`. */
export class WeftError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  readonly errors: ErrorItem[];
  readonly upstream: Upstream | undefined;
  /** The accepted run that failed. */
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

/** Finds our own failure behind another error. */
export function findWeftError(error: unknown): WeftError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof WeftError) return current;
    current = current.cause;
  }
  return undefined;
}
