import { WeftError } from "@weft/schema";
import { formatOf } from "./detect-format.ts";
import { type DocumentFormat, type DocumentInput, documentFormats } from "./document.ts";
import { Unreadable } from "./unreadable.ts";

/** As `formatOf`; raises `document-unreadable` for a file named as a PDF or an office file that is none. */
export function detectFormat(input: DocumentInput): DocumentFormat | undefined {
  try {
    return formatOf(input);
  } catch (error) {
    if (error instanceof Unreadable) throw unreadableError(input.name, error.reason);
    throw error;
  }
}

/** As `detectFormat`; raises `document-unsupported` if that is undefined. */
export function requireFormat(input: DocumentInput): DocumentFormat {
  const format = detectFormat(input);
  if (format === undefined) throw unsupportedError(input.name);
  return format;
}

export function unsupportedError(name: string): WeftError {
  return new WeftError("document-unsupported", {
    params: { name: toShownName(name), formats: documentFormats.join(", ") },
  });
}

/** The error that leaves this package. */
export function unreadableError(name: string, reason: string): WeftError {
  return new WeftError("document-unreadable", { params: { name: toShownName(name), reason } });
}

/** Truncates a long name. */
function toShownName(name: string): string {
  return name.slice(0, 200) || "The file";
}
