import {
  type ExportFile,
  importFileSchema,
  type TransferEntries,
  type TransferKind,
  transferCredentialSchema,
  transferEntrySchemas,
  transferKinds,
  WeftError,
} from "@weft/schema";
import { createPause } from "@weft/workers";
import type { z } from "zod";

/** One validated entry of a file. */
export type FileEntry = {
  [Kind in TransferKind]: { kind: Kind; path: string; entry: TransferEntries[Kind] };
}[TransferKind];

export type CheckedFile = {
  entries: FileEntry[];
  credentials: z.output<typeof transferCredentialSchema>[];
};

export type Mistake = { path: string; message: string };

/** Names of kinds in messages. */
export const kindNames: Readonly<Record<TransferKind, string>> = {
  variables: "variable",
  tools: "tool",
  documentStores: "document store",
  agents: "agent",
  assistants: "assistant",
};

const maxMistakes = 50;

/**
 * Validates every entry of an export file, a few at a time. Rejects with `validation-failed`, which names the places,
 * for another file, a newer format, an entry that does not fit, and an id that two entries have.
 */
export async function readFile(given: unknown): Promise<CheckedFile> {
  const parsed = importFileSchema.safeParse(given);
  if (!parsed.success) throw invalidFile(toMistakes(parsed.error, ""));
  const mistakes: Mistake[] = [];
  const entries: FileEntry[] = [];
  const pause = createPause();
  for (const kind of transferKinds) {
    for (const [index, value] of parsed.data[kind].entries()) {
      if (mistakes.length >= maxMistakes) break;
      const path = `${kind}.${index}`;
      const checked = checkEntry(kind, path, value);
      if (checked.success) entries.push(checked.entry);
      else mistakes.push(...toMistakes(checked.error, path));
      await pause();
    }
  }
  const credentials = readCredentials(parsed.data, mistakes);
  mistakes.push(...findRepeatedIds(entries));
  if (mistakes.length > 0) throw invalidFile(mistakes);
  return { entries, credentials };
}

type CheckedEntry = { success: true; entry: FileEntry } | { success: false; error: z.ZodError };

export function checkEntry(kind: TransferKind, path: string, value: unknown): CheckedEntry {
  const { data, error } = transferEntrySchemas[kind].safeParse(value);
  // The schema is that of the kind.
  return error ? { success: false, error } : { success: true, entry: { kind, path, entry: data } as FileEntry };
}

function readCredentials({ credentials }: ExportFile, mistakes: Mistake[]): CheckedFile["credentials"] {
  return credentials.flatMap((value, index) => {
    const checked = transferCredentialSchema.safeParse(value);
    if (!checked.success) mistakes.push(...toMistakes(checked.error, `credentials.${index}`));
    return checked.success ? [checked.data] : [];
  });
}

function findRepeatedIds(entries: readonly FileEntry[]): Mistake[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ path, entry: { id } }) => {
    const earlier = first.get(id);
    first.set(id, earlier ?? path);
    return earlier === undefined ? [] : [{ path: `${path}.id`, message: `is the id of ${earlier}, too` }];
  });
}

/** The error for a file, of which nothing was written. */
export function invalidFile(mistakes: readonly Mistake[]): WeftError {
  const errors = mistakes.slice(0, maxMistakes);
  const named = errors.slice(0, 5).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const rest = mistakes.length - named.length;
  const reason = `${named.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
  const message = `Nothing was imported, because the file is not valid: ${reason}.`;
  return new WeftError("validation-failed", { message, errors });
}

function toMistakes({ issues }: z.ZodError, parent: string): Mistake[] {
  return issues.slice(0, maxMistakes).map(({ path, message }) => ({
    path: [...(parent === "" ? [] : [parent]), ...path.map(String)].join(".").slice(0, 200),
    message: message.slice(0, 300),
  }));
}
