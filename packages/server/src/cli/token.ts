import { createIdSource } from "@weft/database";
import { createTokens, loadTokenKey, operatorSubject } from "@weft/identity";
import { systemClock } from "@weft/run-host";
import { readConfig } from "../config.ts";
import type { Shell } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

/**
 * Prints an operator token and nothing else. Requires only DATA_DIR or JWT_KEY: no account, no database, no running
 * server. Anyone who can read the key is the operator.
 */
export function run(_args: string[], shell: Shell): Promise<void> {
  return runCommand(shell, async () => {
    const { dataDir, jwtKey, jwtTtlMs } = readConfig(shell.env);
    const key = await loadTokenKey(dataDir, jwtKey);
    const tokens = createTokens({ key, ttlMs: jwtTtlMs, clock: systemClock, ids: createIdSource(systemClock.now) });
    shell.stdout.write(`${(await tokens.issue(operatorSubject)).token}\n`);
  });
}
