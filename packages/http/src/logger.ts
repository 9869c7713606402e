import { toJsonObject } from "@weft/schema";
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** All fields of a log line. Anything else is dropped, so that no header, body or secret gets in. */
export type LogFields = {
  requestId?: string | undefined;
  method?: string | undefined;
  /** The path as the route declares it, with `{id}` in place of values. */
  route?: string | undefined;
  status?: number | undefined;
  durationMs?: number | undefined;
  /** Code of the error catalogue. */
  code?: string | undefined;
  reason?: string | undefined;
  host?: string | undefined;
  port?: number | undefined;
  count?: number | undefined;
  agentId?: string | undefined;
  storeId?: string | undefined;
  loaderId?: string | undefined;
  runId?: string | undefined;
  nodeId?: string | undefined;
  chatId?: string | undefined;
  accountId?: string | undefined;
  credentialId?: string | undefined;
  apiKeyId?: string | undefined;
  /** Of a notice channel. */
  channelId?: string | undefined;
  /** Owner of the chat: `account:<id>`, `client:<id>` or `anonymous`. */
  owner?: string | undefined;
  /** The person who answered in the owner's place, in the same form. */
  answeredBy?: string | undefined;
  /** Name of an MCP server that runs as a command. */
  mcpServer?: string | undefined;
  outcome?: string | undefined;
  lastSeq?: number | undefined;
  /** An error: its name, message and stack are written, with those of its causes. */
  cause?: unknown;
};

/** Events are facts in the past tense (`run-started`), or a sentence. */
export type Logger = {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  isEnabled(level: LogLevel): boolean;
};

export type WarningLogger = Pick<Logger, "warn">;

export type LoggerOptions = {
  level: LogLevel;
  /** Receives one line of JSON with its line break. */
  write(line: string): void;
  now(): number;
};

const fieldNames = [
  "requestId",
  "method",
  "route",
  "status",
  "durationMs",
  "code",
  "reason",
  "host",
  "port",
  "count",
  "agentId",
  "storeId",
  "loaderId",
  "runId",
  "nodeId",
  "chatId",
  "accountId",
  "credentialId",
  "apiKeyId",
  "channelId",
  "owner",
  "answeredBy",
  "mcpServer",
  "outcome",
  "lastSeq",
] as const satisfies readonly (keyof LogFields)[];

const causeDepthLimit = 5;

/** Writes JSON lines: `time`, `level`, `event` and the allowed fields. */
export function createLogger({ level, write, now }: LoggerOptions): Logger {
  const threshold = logLevels.indexOf(level);
  const isEnabled = (wanted: LogLevel) => logLevels.indexOf(wanted) >= threshold;

  function log(lineLevel: LogLevel, event: string, fields: LogFields = {}): void {
    if (!isEnabled(lineLevel)) return;
    const line: Record<string, unknown> = { time: new Date(now()).toISOString(), level: lineLevel, event };
    for (const name of fieldNames) {
      const value = fields[name];
      if (typeof value === "string" || typeof value === "number") line[name] = value;
    }
    if (fields.cause !== undefined) line.error = describeError(fields.cause, causeDepthLimit);
    write(`${JSON.stringify(line)}\n`);
  }

  return {
    debug: (event, fields) => log("debug", event, fields),
    info: (event, fields) => log("info", event, fields),
    warn: (event, fields) => log("warn", event, fields),
    error: (event, fields) => log("error", event, fields),
    isEnabled,
  };
}

/** Formats a log line for a person at a terminal. */
export function toReadableLine(line: string): string {
  const { time, level, event, error, ...fields } = toJsonObject(JSON.parse(line));
  const said = Object.entries(fields).map(([name, value]) => (name === "reason" ? String(value) : `${name}=${value}`));
  const first = [String(time).slice(11, 19), String(level).padEnd(5), event, ...said].join(" ");
  return error === undefined ? `${first}\n` : `${first}\n${toJsonObject(error).stack ?? JSON.stringify(error)}\n`;
}

function describeError(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const described = { name: error.name, message: error.message, stack: error.stack };
  if (error.cause === undefined || depth === 0) return described;
  return { ...described, cause: describeError(error.cause, depth - 1) };
}
