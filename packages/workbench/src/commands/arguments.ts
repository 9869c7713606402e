import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** Where a command was called: its environment, its streams, and the signals that interrupt it. `process` is one. */
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

/** The command was called in a way that it does not understand. The message says what it wants. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message} See npm run -s flow -- --help.`);
    this.name = "UsageError";
  }
}

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
