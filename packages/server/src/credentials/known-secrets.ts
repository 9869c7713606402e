import type { SecretVault } from "@weft/egress";
import type { Sandbox } from "@weft/engine";
import type { Logger } from "@weft/http";
import type { Json, RunEventBody } from "@weft/schema";

type Vault = Pick<SecretVault, "redactor">;

/** The value without known secrets, wherever in it they stand. */
export function withoutSecrets<T>(value: T, vault: Vault): T {
  const redactor = vault.redactor();
  if (redactor.isIdle || value === undefined) return value;
  const text = JSON.stringify(value);
  const redacted = redactor.text(text);
  return redacted === text ? value : (JSON.parse(redacted) as T);
}

/**
 * What a journal keeps for people alone: failures, warnings, questions, and what effects were asked. What steps gave each
 * other is kept as it is, since the run goes on from it.
 */
export function concealIn(body: RunEventBody, vault: Vault): RunEventBody {
  switch (body.type) {
    case "effect-started":
      return { ...body, name: vault.redactor().text(body.name), input: withoutSecrets<Json>(body.input, vault) };
    case "effect-finished":
      return body.outcome.ok ? body : withoutSecrets(body, vault);
    case "node-failed":
    case "run-failed":
    case "run-warned":
      return withoutSecrets(body, vault);
    default:
      return body;
  }
}

/** What code logs and fails with holds no known secret; its result does where its author has it so. */
export function concealInSandbox(sandbox: Sandbox, vault: Vault): Sandbox {
  return {
    async run(call) {
      const result = await sandbox.run(call);
      const logs = withoutSecrets(result.logs, vault);
      return result.ok ? { ...result, logs } : { ...result, logs, error: withoutSecrets(result.error, vault) };
    },
  };
}

/** A logger whose lines hold no known secret. */
export function concealInLog(logger: Logger, vault: Vault): Logger {
  const conceal = ({ cause, ...fields }: NonNullable<Parameters<Logger["info"]>[1]> = {}) => ({
    ...withoutSecrets(fields, vault),
    ...(cause === undefined ? {} : { cause: withoutSecretsIn(cause, vault) }),
  });
  return {
    debug: (event, fields) => logger.debug(event, conceal(fields)),
    info: (event, fields) => logger.info(event, conceal(fields)),
    warn: (event, fields) => logger.warn(event, conceal(fields)),
    error: (event, fields) => logger.error(event, conceal(fields)),
    isEnabled: logger.isEnabled,
  };
}

/** An error in the same words, for a log. */
function withoutSecretsIn(cause: unknown, vault: Vault, depth = 5): unknown {
  const { text, isIdle } = vault.redactor();
  if (isIdle) return cause;
  if (!(cause instanceof Error)) return text(String(cause));
  const inner = cause.cause === undefined || depth === 0 ? undefined : withoutSecretsIn(cause.cause, vault, depth - 1);
  const shown = new Error(text(cause.message), inner === undefined ? {} : { cause: inner });
  return Object.assign(shown, { name: cause.name, stack: text(cause.stack ?? "") });
}
