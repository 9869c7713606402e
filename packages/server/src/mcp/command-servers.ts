import type { SecretVault } from "@weft/egress";
import type { Logger } from "@weft/http";
import type { CommandProcess, CommandServers } from "@weft/integrations";
import type { Config } from "../config.ts";
import { startCommand } from "./command-server.ts";
import { type CommandSettings, readCommandSettings } from "./command-settings.ts";

export type CommandServersDeps = { commands: ReadonlyMap<string, CommandSettings>; logger: Logger };

/** `close` ends those that run, and no more are started. */
export type RunningCommands = CommandServers & { close(): Promise<void> };

/** Those of the configuration; what their environment holds is hidden from whatever people read. Rejects with `ConfigError` where it makes no sense. */
export async function openCommandServers(
  { mcpServers }: Pick<Config, "mcpServers">,
  { vault, logger }: { vault: Pick<SecretVault, "know">; logger: Logger },
): Promise<RunningCommands> {
  const commands = await readCommandSettings(mcpServers.reveal());
  for (const { env } of commands.values()) Object.values(env).forEach(vault.know);
  return createCommandServers({ commands, logger });
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
