import { writeFile } from "node:fs/promises";
import { FileError } from "../file-error.ts";
import { readFlowFile } from "../read-flow-file.ts";
import { describeFinding } from "./describe-finding.ts";
import { exitCodes } from "./exit-codes.ts";
import { oneFile, readArguments } from "./read-arguments.ts";

/** Writes a flow in the native format, and what is wrong with it to standard error. Fails as `check` does. */
export async function convertFlow(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { out: { type: "string" } });
  const { compiled } = await readFlowFile(oneFile(positionals));
  const { flow, findings } = compiled;
  for (const finding of findings) process.stderr.write(describeFinding(finding, flow));
  if (flow.nodes.length > 0) await write(`${JSON.stringify({ weft: 1, ...flow }, null, 2)}\n`, values.out);
  return findings.some(({ level }) => level === "error") ? exitCodes.failed : exitCodes.done;
}

async function write(text: string, path: string | undefined): Promise<void> {
  if (path === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new FileError(`${path} cannot be written: ${(cause as Error).message}.`);
  }
}
