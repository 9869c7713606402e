import { UsageError, usage } from "./arguments.ts";
import { BenchError } from "./report/bench-error.ts";

/**
 * Runs a command of the bench, or prints the usage for `--help`. Ends with status 1, and a message for the person who
 * started it, when it cannot measure; a missed goal does not fail.
 */
export async function runCommand(measure: () => Promise<void>): Promise<void> {
  if (process.argv.includes("--help")) return console.log(usage);
  try {
    await measure();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
    else if (error instanceof BenchError) console.error(error.message);
    else console.error(error);
  }
}
