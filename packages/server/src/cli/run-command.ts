/** Runs a command of the shell. A failure is one sentence on standard error and an exit status, by default 1. */
export async function runCommand(command: () => Promise<void>, failedStatus = 1): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = failedStatus;
  }
}
