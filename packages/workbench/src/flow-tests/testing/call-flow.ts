import { EventEmitter } from "node:events";
import { type CliEnd, createTestShell, runCli } from "../../../../server/src/cli/testing/run-cli.ts";
import { runFlowCommand } from "../../flow-command.ts";

/** Calls the command in this process. */
export async function flow(args: string[], env: Record<string, string> = {}): Promise<CliEnd> {
  const { shell, ended } = createTestShell({ env: { EVENT_API: "false", ...env } });
  const exitCode = await runFlowCommand(args, Object.assign(new EventEmitter(), shell));
  return { ...ended(), exitCode };
}

/** As people do. Once for each command: that its process starts, writes all it has to say, and ends. */
export const flowProcess = (args: string[], env: Record<string, string> = {}): Promise<CliEnd> =>
  runCli("flow", { args, env: { EVENT_API: "false", ...env } });
