import { enableCompileCache } from "node:module";
import { StorageError } from "@weft/database";
import { ConfigError } from "@weft/server";
import { exitCodes, UsageError } from "./commands/arguments.ts";
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

/** Loaded when they are called: a platform takes its time. */
const commands: Record<string, (args: string[]) => Promise<number>> = {
  check: async (args) => (await import("./commands/check-flow.ts")).checkFlow(args),
  convert: async (args) => (await import("./commands/check-flow.ts")).convertFlow(args),
  run: async (args) => (await import("./commands/run-flow.ts")).runFlow(args),
  "retrieve-eval": async (args) => (await import("./commands/test-flows.ts")).retrieveEval(args),
  test: async (args) => (await import("./commands/test-flows.ts")).testFlows(args),
};

enableCompileCache();

process.exitCode = await main(process.argv.slice(2));

async function main([name = "", ...args]: string[]): Promise<number> {
  if ([name, ...args].some((arg) => arg === "--help" || arg === "-h")) {
    process.stdout.write(usage);
    return exitCodes.done;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(name === "" ? usage : `There is no command ${name}.\n\n${usage}`);
    return exitCodes.wrongCommand;
  }
  try {
    return await command(args);
  } catch (cause) {
    process.stderr.write(`${(cause as Error).message}\n`);
    return isForUser(cause) ? exitCodes.wrongCommand : exitCodes.failed;
  }
}

function isForUser(cause: unknown): boolean {
  return [UsageError, FileError, ConfigError, StorageError].some((kind) => cause instanceof kind);
}
