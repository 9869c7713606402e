import type { LoadedPart } from "@weft/engine";
import { WeftError } from "@weft/schema";

/** What is told of a source that could not be read. An error that nobody raised on purpose is thrown on. */
export function toFailure(source: string, error: unknown): LoadedPart & { type: "failure" } {
  if (!(error instanceof WeftError)) throw error;
  return { type: "failure", source, code: error.code, message: error.message };
}
