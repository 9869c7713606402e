import { WeftError } from "@weft/schema";

/** Fields that hold an id of the client's own choice. */
const ids = new Set(["chatId", "sessionId"]);
const maxLength = 200;

/**
 * Refuses ids of chats and sessions, and names of files, that could be read as a path or break a log or a header:
 * wherever a request brings them, in the path, the query or the top of the body. Throws `parameters-invalid`.
 */
export function assertSafeNames(...parts: readonly unknown[]): void {
  for (const part of parts) {
    if (typeof part !== "object" || part === null || Array.isArray(part)) continue;
    for (const [name, value] of Object.entries(part)) assertSafe(name, value);
  }
}

function assertSafe(name: string, value: unknown): void {
  if (typeof value !== "string" || !(ids.has(name) || name === "fileName")) return;
  const mistake = ids.has(name) ? findMistake(value) : findFileNameMistake(value);
  if (mistake === undefined) return;
  throw new WeftError("parameters-invalid", {
    params: { reason: `${name} ${mistake}.` },
    errors: [{ path: name, message: mistake }],
  });
}

function findFileNameMistake(value: string): string | undefined {
  return value.includes("/") ? "must be a name without folders" : findMistake(value);
}

function findMistake(value: string): string | undefined {
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (/\p{Cc}|[\u2028\u2029]/u.test(value)) return "must not contain control characters";
  if (value.includes("\\")) return "must not contain a backslash";
  // Encoded once more: some reader on the way might decode it.
  if (/%(2f|5c|2e|7f|[01][0-9a-f])/i.test(value)) return "must not contain percent-encoded separators";
  if (value.split("/").some((segment) => segment === "." || segment === ".."))
    return "must not contain . or .. as a step";
  return undefined;
}
