import type { Config } from "../config.ts";
import { readCommandSettings } from "../mcp/command-settings.ts";
import { toModelDefaults } from "../model-defaults.ts";

/** Everything of the configuration that no file may hold. */
export async function secretsOf(config: Config): Promise<string[]> {
  const { openai, anthropic, google } = toModelDefaults(config);
  const commands = await readCommandSettings(config.mcpServers.reveal());
  return [
    ...[openai, anthropic, google].map((account) => account?.apiKey ?? ""),
    ...Array.from(config.runtimeVariables.values(), (secret) => secret.reveal()),
    ...Array.from(commands.values(), ({ env }) => Object.values(env)).flat(),
  ];
}
