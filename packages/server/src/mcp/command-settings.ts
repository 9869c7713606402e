import { readFile } from "node:fs/promises";
import { parseJson } from "@weft/schema";
import { z } from "zod";
import { ConfigError } from "../config.ts";

/** A command that is an MCP server. Its environment is `env` and nothing else. */
export type CommandSettings = z.infer<typeof commandSchema>;

const commandSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});
const commandsSchema = z.record(z.string().regex(/^[\w.-]{1,100}$/), commandSchema);

/**
 * Commands by name, from JSON text or the path of a file with it. Empty: none. Rejects with `ConfigError`, which
 * repeats no value: some are secrets.
 */
export async function readCommandSettings(setting: string): Promise<ReadonlyMap<string, CommandSettings>> {
  const text = setting.trim();
  if (text === "") return new Map();
  const value = parseJson(text.startsWith("{") ? text : await readSettingsFile(text));
  if (value === undefined) throw mistake("is not valid JSON");
  const parsed = commandsSchema.safeParse(value);
  if (parsed.success) return new Map(Object.entries(parsed.data));
  const [issue] = parsed.error.issues;
  const place = issue?.path.length ? ` at ${issue.path.join(".")}` : "";
  throw mistake(`does not fit${place}: ${issue?.message}. Expected is ${expected}`);
}

const expected = '{ "name": { "command": "…", "args": ["…"], "env": { "NAME": "value" } } }';

function mistake(reason: string): ConfigError {
  return new ConfigError([`MCP_SERVERS ${reason}.`]);
}

async function readSettingsFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    throw mistake(`must be JSON text or the path of a readable JSON file, and ${path} cannot be read`);
  }
}
