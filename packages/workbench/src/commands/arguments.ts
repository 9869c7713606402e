import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** A command's surroundings: its environment, its streams, and the signals that interrupt it. `process` is one. */
export type Shell = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  once(signal: "SIGINT", listener: () => void): unknown;
  off(signal: "SIGINT", listener: () => void): unknown;
};

type Output = { write(text: string): unknown };

/** Exit status of `npm run flow`. */
export const exitCodes = { done: 0, failed: 1, wrongCommand: 2, waiting: 3 } as const;

/** Invalid arguments of a command. The message tells the expected usage. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message} See npm run -s flow -- --help.`);
    this.name = "UsageError";
  }
}

/** The options and file names of a command. Throws `UsageError` for an unknown option. */
export function readArguments<Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(`${(cause as Error).message.split(". ", 1)[0]}.`);
  }
}

/** Throws `UsageError` unless there is exactly one file. */
export function oneFile([path, ...more]: readonly string[]): string {
  if (path !== undefined && more.length === 0) return path;
  throw new UsageError(path === undefined ? "Name the file of a flow." : "Name one file only.");
}
