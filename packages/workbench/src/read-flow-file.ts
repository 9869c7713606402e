import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { notYetSaid, readFlow, recognise, settle } from "@weft/dialects";
import { type CompiledFlow, compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import type { Finding, Flow } from "@weft/schema";

/**
 * A flow in a file, and what a server would make of it. `text`: as it is stored. `report`: how well a flow of another
 * builder was converted, and what is left to do, line by line.
 */
export type FlowFile = { path: string; text: string; compiled: CompiledFlow; report: readonly string[] };

/**
 * Reads a flow of any dialect, or the files of one that another builder exported. Rejects with `FileError`; what is wrong
 * with the flow itself is a finding.
 */
export async function readFlowFile(path: string, ...more: string[]): Promise<FlowFile> {
  const text = await readText(path);
  const isJson = path.endsWith(".json") || /^\s*[{["]/.test(text);
  if (isJson) parseJson(path, text);
  if (more.length === 0 && recognise(text).dialect !== "unknown") return compile(path, text);
  const files = [{ name: basename(path), text }];
  for (const other of more) files.push({ name: basename(other), text: await readText(other) });
  const { importFiles } = await import("@weft/imports");
  const imported = importFiles(files);
  if (imported.source === "unknown") {
    if (isJson && more.length === 0) return compile(path, text);
    throw new FileError(imported.findings.map(({ message }) => message).join(" "));
  }
  const { flow, findings } = settle(imported, []);
  const native = compile(path, JSON.stringify(flow));
  const all = [...findings, ...notYetSaid(findings, native.compiled.findings)];
  return {
    ...native,
    compiled: { ...native.compiled, findings: all },
    report: [
      ...imported.choices.map(({ kind, name }) => `to do    Choose the ${kind.replace("-", " ")} for ${name}.`),
      ...imported.secrets.map(({ name }) => `to do    Create a credential for ${name}: its secret was left out.`),
      countOutcomes(flow, all),
    ],
  };
}

/** How many steps were converted exactly, approximately and not. */
function countOutcomes({ nodes }: Flow, findings: readonly Finding[]): string {
  const withLevel = (wanted: Finding["level"]) =>
    new Set(findings.flatMap(({ level, nodeId }) => (level === wanted && nodeId !== null ? [nodeId] : [])));
  const refused = withLevel("error");
  const approximate = [...withLevel("warning")].filter((id) => !refused.has(id)).length;
  const exact = nodes.length - refused.size - approximate;
  return `steps    ${exact} converted exactly, ${approximate} with a remark, ${refused.size} with an error`;
}

function compile(path: string, text: string): FlowFile {
  return { path, text, compiled: compileFlow(text, nodeRegistry, readFlow), report: [] };
}

/** Rejects with `FileError` if there is no such file, or it cannot be read. */
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

/** A named file cannot be used. The message names it and the remedy. */
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FileError";
  }
}
