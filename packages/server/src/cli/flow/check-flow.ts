import { basename } from "node:path";
import { readFlowFile } from "../../workbench/read-flow-file.ts";
import { describeFinding } from "./describe-finding.ts";
import { exitCodes } from "./exit-codes.ts";
import { oneFile, readArguments } from "./read-arguments.ts";

/** Prints what is wrong with a flow. Fails when something keeps it from running. */
export async function checkFlow(args: string[]): Promise<number> {
  const { positionals } = readArguments(args, {});
  const { path, compiled } = await readFlowFile(oneFile(positionals));
  const { findings, flow } = compiled;
  for (const finding of findings) process.stdout.write(describeFinding(finding, flow));
  const errors = findings.filter(({ level }) => level === "error").length;
  const verdict = errors === 0 ? "can run" : "cannot run";
  process.stdout.write(
    `${basename(path)} ${verdict}: ${count(errors, "error")}, ${count(findings.length - errors, "warning")}.\n`,
  );
  return errors === 0 ? exitCodes.done : exitCodes.failed;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
