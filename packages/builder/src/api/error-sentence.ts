import { WeftApiError } from "@weft/client";
import { errorStrings } from "../strings/common.ts";

/** An error as a sentence for the user. The API's own messages already say what to do and are kept. */
export function errorSentence(error: unknown): string {
  if (error instanceof WeftApiError) return apiSentence(error);
  if (error instanceof TypeError) return errorStrings.unreachable;
  return error instanceof Error && error.message !== "" ? error.message : errorStrings.unknown;
}

/** The sentence for each field that the API refused, by its dotted path. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof WeftApiError)) return {};
  return Object.fromEntries(error.errors.map(({ path, message }) => [path, message]));
}

function apiSentence(error: WeftApiError): string {
  if (error.code === "unknown") return errorStrings.status(error.status);
  const [first] = error.errors;
  if (first === undefined || error.message.includes(first.message)) return error.message;
  return `${error.message} ${first.path === "" ? "" : `${first.path}: `}${first.message}`;
}
