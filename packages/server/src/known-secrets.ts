import type { SecretVault, TextRedaction } from "@weft/egress";
import type { ChatModel, ModelAnswer, ModelResolver } from "@weft/engine/ports/chat-model";
import type { Sandbox } from "@weft/engine/ports/sandbox";
import type { Tool, ToolResolver, ToolResult } from "@weft/engine/ports/tool";
import type { Logger } from "@weft/http/logger";
import type { Resolvers } from "@weft/run-host";
import { type Json, type RunEventBody, toJsonObject } from "@weft/schema";

/** Removes secrets that were used from everything that people read. */
export function concealing(vault: SecretVault) {
  return {
    value: <T>(shown: T): T => withoutSecrets(shown, vault),
    event: (body: RunEventBody): RunEventBody => concealIn(body, vault),
    sandbox: (sandbox: Sandbox): Sandbox => concealInSandbox(sandbox, vault),
    log: (logger: Logger): Logger => concealInLog(logger, vault),
    resolvers: (resolvers: Resolvers): Resolvers => redactResolvers(resolvers, vault),
  };
}

/** The value without known secrets, wherever they occur in it. */
function withoutSecrets<T>(value: T, vault: SecretVault): T {
  const redactor = vault.redactor();
  if (redactor.isIdle || value === undefined) return value;
  const text = JSON.stringify(value);
  const redacted = redactor.text(text);
  return redacted === text ? value : (JSON.parse(redacted) as T);
}

/**
 * Redacts what a journal stores only for people: failures, warnings, questions, and inputs of effects. Outputs of steps
 * are kept as they are, since the run continues from them.
 */
function concealIn(body: RunEventBody, vault: SecretVault): RunEventBody {
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

/** Redacts known secrets from what code logs and fails with; its result may contain them if the author so chose. */
function concealInSandbox(sandbox: Sandbox, vault: SecretVault): Sandbox {
  return {
    async run(call) {
      const result = await sandbox.run(call);
      const logs = withoutSecrets(result.logs, vault);
      return result.ok ? { ...result, logs } : { ...result, logs, error: withoutSecrets(result.error, vault) };
    },
  };
}

/** A logger that redacts known secrets. */
function concealInLog(logger: Logger, vault: SecretVault): Logger {
  const conceal = ({ cause, ...fields }: NonNullable<Parameters<Logger["info"]>[1]> = {}) => ({
    ...withoutSecrets(fields, vault),
    ...(cause === undefined ? {} : { cause: withoutSecretsIn(cause, vault) }),
  });
  return {
    // Said of every request, and seldom written.
    debug: (event, fields) => logger.isEnabled("debug") && logger.debug(event, conceal(fields)),
    info: (event, fields) => logger.info(event, conceal(fields)),
    warn: (event, fields) => logger.warn(event, conceal(fields)),
    error: (event, fields) => logger.error(event, conceal(fields)),
    isEnabled: logger.isEnabled,
  };
}

/** The same error with secrets redacted, for a log. */
function withoutSecretsIn(cause: unknown, vault: SecretVault, depth = 5): unknown {
  const { text, isIdle } = vault.redactor();
  if (isIdle) return cause;
  if (!(cause instanceof Error)) return text(String(cause));
  const inner = cause.cause === undefined || depth === 0 ? undefined : withoutSecretsIn(cause.cause, vault, depth - 1);
  const shown = new Error(text(cause.message), inner === undefined ? {} : { cause: inner });
  return Object.assign(shown, { name: cause.name, stack: text(cause.stack ?? "") });
}

/**
 * Redacts used secrets from the text of models and tools. The egress client redacts each answer; this catches a secret
 * that a model spells over several pieces of text, and one that a local command prints.
 */
export function redactResolvers({ models, tools }: Resolvers, vault: SecretVault): Resolvers {
  return { models: redactModels(models, vault), tools: redactTools(tools, vault) };
}

function redactModels(models: ModelResolver, vault: SecretVault): ModelResolver {
  return {
    async resolve(reference) {
      const model = await models.resolve(reference);
      return { ...model, answer: (call) => answerRedacted(model, call, vault) };
    },
  };
}

async function answerRedacted(model: ChatModel, call: Parameters<ChatModel["answer"]>[0], vault: SecretVault) {
  const { onText } = call;
  if (onText === undefined) return redactAnswer(await model.answer(call), vault);
  // Opened by the first piece: by then the model's own key has been sent and is known.
  let redaction: TextRedaction | undefined;
  const pass = (text: string) => {
    if (text !== "") onText(text);
  };
  const push = (piece: string) => {
    redaction ??= vault.redactor().openText();
    pass(redaction.push(piece));
  };
  const answer = await model.answer({ ...call, onText: push });
  pass(redaction?.end() ?? "");
  return redactAnswer(answer, vault);
}

function redactAnswer(answer: ModelAnswer, vault: SecretVault): ModelAnswer {
  const redactor = vault.redactor();
  if (redactor.isIdle) return answer;
  const toolCalls = answer.toolCalls.map((call) => ({ ...call, arguments: redactor.text(call.arguments) }));
  return { ...answer, text: redactor.text(answer.text), toolCalls };
}

function redactTools(tools: ToolResolver, vault: SecretVault): ToolResolver {
  /** By tool, which may be used by many runs. */
  const redacted = new WeakMap<Tool, Tool>();

  function redact(tool: Tool, { text }: ReturnType<SecretVault["redactor"]>): Tool {
    const description = text(tool.description);
    const known = redacted.get(tool);
    if (known?.description === description) return known;
    const call: Tool["call"] = async (args, context) => redactResult(await tool.call(args, context), vault);
    const made = { ...tool, description, call };
    redacted.set(tool, made);
    return made;
  }

  return {
    async resolve(reference, context) {
      const resolved = await tools.resolve(reference, context);
      const redactor = vault.redactor();
      return resolved.map((tool) => redact(tool, redactor));
    },
  };
}

function redactResult(result: ToolResult, vault: SecretVault): ToolResult {
  const redactor = vault.redactor();
  if (redactor.isIdle) return result;
  const { content, details } = result;
  return {
    ...result,
    content: redactor.text(content),
    ...(details && { details: toJsonObject(JSON.parse(redactor.text(JSON.stringify(details)))) }),
  };
}
