import { readFile } from "node:fs/promises";
import { readFlow } from "@weft/dialects";
import { type CompiledFlow, compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";

/** A flow in a file: its text as it stands there, and what a server would make of it. */
export type FlowFile = { path: string; text: string; compiled: CompiledFlow };

/** Reads a flow of any dialect. Rejects with `FileError`; what is wrong with the flow itself is a finding. */
export async function readFlowFile(path: string): Promise<FlowFile> {
  const text = await readText(path);
  parseJson(path, text);
  return { path, text, compiled: compileFlow(text, nodeRegistry, readFlow) };
}

/** Rejects with `FileError` when there is no such file, or it is not to be read. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new FileError(`${path} cannot be read: ${reasonOf(cause)}.`);
  }
}

/** Throws `FileError`. */
export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FileError(`${path} is not JSON: ${(cause as Error).message}.`);
  }
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it",
};

function reasonOf(cause: unknown): string {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

/** A file that was named cannot be used. The message names it and says what to do. */
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FileError";
  }
}
