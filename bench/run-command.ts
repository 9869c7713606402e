import { UsageError, usage } from "./arguments.ts";
import { BenchError } from "./report/bench-error.ts";

/** Ends the process with status 1, and a message for the person who started it, when nothing could be measured. Missed goals are no failure. */
export async function runCommand(measure: () => Promise<void>): Promise<void> {
  try {
    await measure();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
    else if (error instanceof BenchError) console.error(error.message);
    else console.error(error);
  }
}
