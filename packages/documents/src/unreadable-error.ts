import { WeftError } from "@weft/schema";

/** The error that leaves this package. */
export function unreadableError(name: string, reason: string): WeftError {
  return new WeftError("document-unreadable", { params: { name: toShownName(name), reason } });
}

/** Truncates a long name. */
export function toShownName(name: string): string {
  return name.slice(0, 200) || "The file";
}
