import type { IncomingMessage, Server } from "node:http";
import { createIdSource, StorageError } from "@weft/database";
import { createSecretVault } from "@weft/egress";
import { createEventApi } from "@weft/event-api";
import { createHostCheck, ListenError, type Listening, listen, unknownHost } from "@weft/http";
import { createLogger, type Logger, toReadableLine } from "@weft/http/logger";
import { toSetupAnnouncement } from "@weft/identity";
import { defaultProviderName, ModelFolderError, rehearsalLabel } from "@weft/providers";
import { systemClock } from "@weft/run-host";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { giveBackMemoryAtRest } from "./memory-at-rest.ts";
import { toModelDefaults } from "./models/model-defaults.ts";
import { openPlatform, type Platform } from "./platform.ts";

/** How long running requests may take to finish when the process stops. */
const shutDownGraceMs = 5_000;

/**
 * Runs the server until SIGTERM or SIGINT. A problem for the operator is reported in one sentence, with exit status 1.
 */
export async function serve(): Promise<void> {
  try {
    await start(readConfig());
  } catch (cause) {
    if (!isForOperator(cause)) throw cause;
    process.stderr.write(`${cause.message}\n`);
    process.exitCode = 1;
  }
}

function isForOperator(cause: unknown): cause is Error {
  return [ConfigError, StorageError, ListenError, ModelFolderError].some((kind) => cause instanceof kind);
}

async function start(config: Config): Promise<void> {
  giveBackMemoryAtRest();
  const clock = systemClock;
  const logger = createLogger({
    level: config.logLevel,
    write: (line) => process.stdout.write(process.stdout.isTTY ? toReadableLine(line) : line),
    now: clock.now,
  });
  const platform = await openPlatform({ config, clock, ids: createIdSource(clock.now), logger });
  const server = await listen(platform, { ...config, limits: config }).catch(async (cause: unknown) => {
    await platform.close();
    throw cause;
  });
  logger.info("server-started", { host: config.host, port: server.port });
  const eventApi = startEventApi(config, logger);
  announceModel(config, logger);
  if (config.role !== "worker") await announceSetup(platform, server);
  onceStopped(config, async () => {
    logger.info("server-stopping");
    eventApi?.close();
    eventApi?.closeAllConnections();
    // Runs are released first: requests that wait for them are then answered and can finish.
    const closed = server.close({ graceMs: shutDownGraceMs });
    await platform.close();
    await closed;
  });
}

/** The reference event API beside the platform; a busy port is logged and otherwise ignored. */
function startEventApi(config: Config, logger: Logger): Server | undefined {
  const { eventApiPort } = config;
  if (eventApiPort === undefined) return undefined;
  const isHostServed = createHostCheck(config);
  const refusal = ({ headers: { host, authorization } }: IncomingMessage) =>
    isHostServed({ host: host ?? null, authorization: authorization ?? null })
      ? undefined
      : unknownHost(host ?? "").message;
  const { server } = createEventApi({ refusal });
  server.on("error", (cause) => {
    logger.warn("event-api-not-started", { port: eventApiPort, reason: "the port is in use or not permitted", cause });
  });
  server.listen(eventApiPort, "127.0.0.1", () => logger.info("event-api-started", { port: eventApiPort }));
  return server;
}

function announceModel(config: Config, logger: Logger): void {
  if (defaultProviderName(toModelDefaults(config, createSecretVault())) !== "rehearsal") return;
  const reason = `No model is configured: agents are answered by the ${rehearsalLabel}. For a real one set a provider's variable, such as OPENAI_API_KEY, ANTHROPIC_API_KEY or OLLAMA_HOST: docs/model-providers.md lists them all.`;
  logger.warn("rehearsal-model-in-use", { reason });
}

/** Printed for the operator's eyes only, after all other startup output: it never goes through the logger. */
async function announceSetup(platform: Platform, { url }: Listening): Promise<void> {
  const token = await platform.findSetupToken();
  if (token === undefined) return;
  const { isTTY: isTerminal = false } = process.stdout;
  process.stdout.write(toSetupAnnouncement({ url, token, isTerminal, now: systemClock.now() }));
}

function onceStopped({ isRunByNpm }: Config, stop: () => Promise<void>): void {
  let isStopping = false;
  const begin = () => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", begin);
  process.on("SIGINT", begin);
  if (isRunByNpm) watchShell(begin);
}

/** npm sends SIGTERM to the shell between it and this process; some shells die of it without passing it on. */
function watchShell(stop: () => void): void {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== shell) stop();
  }, 250);
  watch.unref();
}
