import type { Config } from "../config.ts";
import { readCommandSettings } from "../mcp/command-settings.ts";

/** Everything of the configuration that no file may hold. */
export async function secretsOf(config: Config): Promise<string[]> {
  const commands = await readCommandSettings(config.mcpServers.reveal());
  return [
    ...[config.openAiApiKey, config.anthropicApiKey, config.googleApiKey].map((key) => key.reveal()),
    ...Array.from(config.runtimeVariables.values(), (secret) => secret.reveal()),
    ...Array.from(commands.values(), ({ env }) => Object.values(env)).flat(),
  ];
}
