import type { CommandProcess, CommandServers } from "@weft/integrations";
import type { Config } from "../config.ts";
import type { Logger } from "../logger.ts";
import { startCommand } from "./command-server.ts";
import { type CommandSettings, readCommandSettings } from "./command-settings.ts";

export type CommandServersDeps = { commands: ReadonlyMap<string, CommandSettings>; logger: Logger };

/** `close` ends those that run, and no more are started. */
export type RunningCommands = CommandServers & { close(): Promise<void> };

/** Those of the configuration. Rejects with `ConfigError` where it makes no sense. */
export async function openCommandServers(
  { mcpServers }: Pick<Config, "mcpServers">,
  logger: Logger,
): Promise<RunningCommands> {
  return createCommandServers({ commands: await readCommandSettings(mcpServers.reveal()), logger });
}

/** The MCP servers that the operator configured as commands. */
export function createCommandServers({ commands, logger }: CommandServersDeps): RunningCommands {
  const running = new Set<CommandProcess>();
  let isClosed = false;
  return {
    names: [...commands.keys()],
    start(name, events) {
      const settings = commands.get(name);
      if (settings === undefined || isClosed) throw new Error(`No command ${name} can be started.`);
      const ended = () => {
        running.delete(started);
        events.ended();
      };
      const started = startCommand({ name, ...settings }, { ...events, ended }, logger);
      running.add(started);
      return started;
    },
    async close() {
      isClosed = true;
      await Promise.all([...running].map((command) => command.end()));
    },
  };
}
