import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

/** The options and names of files of a command. Throws `UsageError` for an option that it does not have. */
export function readArguments<Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(`${(cause as Error).message.split(". ", 1)[0]}.`);
  }
}

/** Throws `UsageError` unless exactly one file was named. */
export function oneFile([path, ...more]: readonly string[]): string {
  if (path !== undefined && more.length === 0) return path;
  throw new UsageError(path === undefined ? "Name the file of a flow." : "Name one file only.");
}
