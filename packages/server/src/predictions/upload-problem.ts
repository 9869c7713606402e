import { WeftError } from "@weft/schema";

/** What is wrong with one upload of a request. */
export function uploadProblem(index: number, field: "data" | "type", message: string): WeftError {
  const path = `uploads.${index}.${field}`;
  return new WeftError("validation-failed", { params: { reason: `${path}: ${message}` }, errors: [{ path, message }] });
}

/** Names the upload in a refusal of its content; any other failure is left as it is. */
export function locateProblem(error: unknown, index: number): unknown {
  if (!(error instanceof WeftError) || error.errors.length > 0 || error.status >= 500) return error;
  const { code, message, status } = error;
  return new WeftError(code, { message, status, errors: [{ path: `uploads.${index}.data`, message }] });
}
