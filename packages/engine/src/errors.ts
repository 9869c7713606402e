import { type RunError, WeftError } from "@weft/schema";

/** A failure that was read back from the journal, or that a node raised with its own words. */
export class RunFailure extends Error {
  readonly error: RunError;
  /** Whether another attempt would only read the same failure back: that of a write, which is never repeated. */
  readonly isFinal: boolean;

  constructor(error: RunError, { isFinal = false } = {}) {
    super(error.message);
    this.name = "RunFailure";
    this.error = error;
    this.isFinal = isFinal;
  }
}

/**
 * Raised by a port whose host cannot work at the moment, such as a database that does not answer. No step has failed: this
 * process lets go of the run, which continues from its journal when the host works again.
 */
export class HostUnavailableError extends Error {
  override name = "HostUnavailableError";
}

/** What the journal may keep of an exception. Bugs become `internal` without their message. */
export function toRunError(cause: unknown): RunError {
  if (cause instanceof RunFailure) return cause.error;
  if (cause instanceof WeftError) {
    const error: RunError = { code: cause.code, message: cause.message, retryable: cause.retryable };
    return cause.upstream ? { ...error, upstream: cause.upstream } : error;
  }
  return { ...toRunErrorOfCode("internal") };
}

/** Whether a model's failure passes by waiting: it is overloaded, fails, cannot be reached, or its answer broke off. */
export function isTransientFailure({ code, retryable }: RunError): boolean {
  return retryable && transientCodes.test(code);
}

const transientCodes = /^model-(rate-limited|unavailable|unreachable|interrupted)$/;

/** Whether an exception was raised on purpose. */
export function isExpected(cause: unknown): boolean {
  return cause instanceof RunFailure || cause instanceof WeftError;
}

function toRunErrorOfCode(code: "internal"): RunError {
  const error = new WeftError(code);
  return { code: error.code, message: error.message, retryable: error.retryable };
}
