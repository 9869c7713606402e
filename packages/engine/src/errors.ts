import { type RunError, WeftError } from "@weft/schema";

/** A failure read back from the journal, or raised by a node in its own words. */
export class RunFailure extends Error {
  readonly error: RunError;
  /** Another attempt would only read the same failure back: a failed write is never repeated. */
  readonly isFinal: boolean;

  constructor(error: RunError, { isFinal = false } = {}) {
    super(error.message);
    this.name = "RunFailure";
    this.error = error;
    this.isFinal = isFinal;
  }
}

/**
 * Raised by a port when its host cannot work at the moment, such as a database that does not respond. No step has
 * failed: this process releases the run, which continues from its journal once the host works again.
 */
export class HostUnavailableError extends Error {
  override name = "HostUnavailableError";
}

/** The part of an exception that the journal may keep. Bugs become `internal` without their message. */
export function toRunError(cause: unknown): RunError {
  if (cause instanceof RunFailure) return cause.error;
  if (cause instanceof WeftError) {
    const error: RunError = { code: cause.code, message: cause.message, retryable: cause.retryable };
    return cause.upstream ? { ...error, upstream: cause.upstream } : error;
  }
  return { ...toRunErrorOfCode("internal") };
}

/** A model failure that waiting may resolve: overloaded, failing, unreachable, or an answer cut off. */
export function isTransientFailure({ code, retryable }: RunError): boolean {
  return retryable && transientCodes.test(code);
}

const transientCodes = /^model-(rate-limited|unavailable|unreachable|interrupted)$/;

export function isExpected(cause: unknown): boolean {
  return cause instanceof RunFailure || cause instanceof WeftError;
}

function toRunErrorOfCode(code: "internal"): RunError {
  const error = new WeftError(code);
  return { code: error.code, message: error.message, retryable: error.retryable };
}
