import { exitCodes, type Shell, UsageError } from "./commands/arguments.ts";
import { FileError } from "./read-flow-file.ts";

const usage = `Usage: npm run -s flow -- COMMAND

  check FILE                      what is wrong with a flow, or worth knowing
      --server URL --token TOKEN  asks a running server, which knows its models, credentials, tools, document stores
                                  and agents, too; stores nothing there. TOKEN is an API key with agents:read, or what
                                  npm run -s token prints
  convert FILE... [--out FILE]    the flow in the native format; several files are those of one flow
  run FILE [--input TEXT]         runs the flow once and prints its answer
      --form JSON                 a form instead of a text
      --var NAME=VALUE            a variable for the run; may be repeated
      --chat ID                   id of the chat, which is its session's id, too
      --answer ANSWER             when the run waits for a person: approve, reject or a text; may be repeated
      --stream                    prints the answer while it is written
      --json                      prints the result as the API answers it
  test FILE... [--record] [--json]
                                  runs the flow tests of the files; --record asks the real models and tools

  retrieve-eval FILE [--json]     how well the questions of a file find its documents: recall@k and MRR

FILE is a flow of Weft, an export of AgentFlow V2, a classic chatflow, a Microsoft Foundry workflow (YAML, with the files
of its agents) or the code that OpenAI Agent Builder exports. Models are configured by the environment, as for the server.
Exit status: 0 done, 1 failed, 2 the command or a file is wrong, 3 the run waits for a person.
`;

/** Loaded on use: the platform takes time to load. */
const commands: Record<string, (args: string[], shell: Shell) => Promise<number>> = {
  check: async (...call) => (await import("./commands/check-flow.ts")).checkFlow(...call),
  convert: async (...call) => (await import("./commands/check-flow.ts")).convertFlow(...call),
  run: async (...call) => (await import("./commands/run-flow.ts")).runFlow(...call),
  "retrieve-eval": async (...call) => (await import("./commands/test-flows.ts")).retrieveEval(...call),
  test: async (...call) => (await import("./commands/test-flows.ts")).testFlows(...call),
};

/** Runs the command named by the first word. Resolves with its exit status. */
export async function runFlowCommand([name = "", ...args]: readonly string[], shell: Shell): Promise<number> {
  if ([name, ...args].some((arg) => arg === "--help" || arg === "-h")) {
    shell.stdout.write(usage);
    return exitCodes.done;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    shell.stderr.write(name === "" ? usage : `There is no command ${name}.\n\n${usage}`);
    return exitCodes.wrongCommand;
  }
  try {
    return await command(args, shell);
  } catch (cause) {
    shell.stderr.write(`${(cause as Error).message}\n`);
    return (await isForUser(cause)) ? exitCodes.wrongCommand : exitCodes.failed;
  }
}

async function isForUser(cause: unknown): Promise<boolean> {
  if (cause instanceof UsageError || cause instanceof FileError) return true;
  // A command that got this far has loaded the platform.
  const [{ ConfigError }, { StorageError }] = await Promise.all([import("@weft/server"), import("@weft/database")]);
  return cause instanceof ConfigError || cause instanceof StorageError;
}
