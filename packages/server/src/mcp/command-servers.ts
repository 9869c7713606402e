import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { SecretVault } from "@weft/egress";
import type { Logger } from "@weft/http/logger";
import type { CommandEvents, CommandProcess, CommandServers } from "@weft/integrations";
import type { Config } from "../config.ts";
import { type CommandSettings, readCommandSettings } from "./command-settings.ts";

/** `close` ends the running ones and prevents further starts. */
export type RunningCommands = CommandServers & { close(): Promise<void> };

/**
 * The MCP servers of the configuration; values of their environments are redacted from whatever people read. Rejects
 * with `ConfigError` for an invalid configuration.
 */
export async function openCommandServers(
  { mcpServers }: Config,
  { vault, logger }: { vault: SecretVault; logger: Logger },
): Promise<RunningCommands> {
  const commands = await readCommandSettings(mcpServers.reveal());
  for (const { env } of commands.values()) Object.values(env).forEach(vault.know);
  return createCommandServers(commands, logger);
}

/** The MCP servers that the operator configured as commands. */
export function createCommandServers(commands: ReadonlyMap<string, CommandSettings>, logger: Logger): RunningCommands {
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

/** A longer line ends the process. */
const maxLineCharacters = 10 * 1024 * 1024;
/** Lines of a process's standard error that are logged. */
const maxLoggedLines = 100;
const maxLoggedCharacters = 500;
/** Between closing its input, SIGTERM and SIGKILL. */
const graceMs = 2_000;

/**
 * Starts a command that the operator configured, without a shell. This is the only place that starts programs, and none
 * of them ever comes from a flow.
 */
function startCommand(
  { name, command, args, env }: CommandSettings & { name: string },
  events: CommandEvents,
  logger: Logger,
): CommandProcess {
  const child = spawn(command, args, { env, stdio: "pipe", windowsHide: true, detached: isGroupLeader });
  const exited = once(child, "close").catch(() => undefined);
  child.once("error", (cause) => logger.error("mcp-server-failed", { mcpServer: name, cause }));
  child.stdin.on("error", () => undefined);
  const kill = () => stop(child, "SIGKILL");
  child.stdout.setEncoding("utf8").on("data", splitLines(maxLineCharacters, { line: events.line, tooLong: kill }));
  logErrors(child, name, logger);
  logger.info("mcp-server-started", { mcpServer: name });
  void exited.then(() => {
    logger.info("mcp-server-ended", { mcpServer: name, outcome: String(child.exitCode ?? child.signalCode) });
    events.ended();
  });
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      child.stdin.end();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        const isGone = await Promise.race([exited.then(() => true), sleep(graceMs, false, { ref: false })]);
        if (isGone) return;
        stop(child, signal);
      }
      await exited;
    },
  };
}

/** Launchers such as npx start the server itself: it is stopped with them. */
const isGroupLeader = process.platform !== "win32";

function stop(child: ChildProcessWithoutNullStreams, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (isGroupLeader) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It is already gone.
  }
}

function logErrors({ stderr }: ChildProcessWithoutNullStreams, mcpServer: string, logger: Logger): void {
  let lines = 0;
  const log = (text: string) => {
    lines += 1;
    if (lines > maxLoggedLines) return;
    logger.warn("mcp-server-said", { mcpServer, reason: text.slice(0, maxLoggedCharacters) });
  };
  stderr.setEncoding("utf8").on("data", splitLines(maxLoggedCharacters, { line: log, tooLong: log }));
}

type LineHandlers = {
  line(text: string): void;
  /** Called with the start of a line that exceeds the limit; its rest is skipped. */
  tooLong(text: string): void;
};

/** Assembles pieces of text into whole lines, without their ends. `maxCharacters` is the most that a line may have. */
export function splitLines(maxCharacters: number, { line, tooLong }: LineHandlers): (piece: string) => void {
  let begun = "";
  let isSkipping = false;

  function end(rest: string): void {
    if (!isSkipping) line((begun + rest).replace(/\r$/, ""));
    isSkipping = false;
    begun = "";
  }

  return (piece) => {
    const parts = piece.split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) end(part);
    begun = isSkipping ? "" : begun + last;
    if (begun.length <= maxCharacters) return;
    tooLong(begun);
    isSkipping = true;
    begun = "";
  };
}
