import type { FileLimit, VisitorFileLimits } from "@weft/chats";
import { parseSecretKeys } from "@weft/database/secret-file";
import { logLevels } from "@weft/http/logger";
import { accounts } from "@weft/providers";
import { defaultLeaseMs, type Role, shortestLeaseMs } from "@weft/run-host";
import type { VisitorRetention } from "@weft/schema";
import { type OwnPrices, readOwnPrices, readTraceSettings, type TraceSettings, traceVariables } from "@weft/telemetry";
import { z } from "zod";
import { findHalfAccount, findLonelyRole, findOpenData } from "./config-conflicts.ts";
import {
  defaultDataDir,
  isHttpUrl,
  parseBudget,
  parseBytes,
  parseDays,
  parseDurationMs,
  parseFileLimit,
  parseFlag,
  parseHops,
  parseHostList,
  parseHostNames,
  parseHstsSeconds,
  parseNames,
  parseOrigins,
} from "./config-values.ts";

/** The environment does not configure a server. The message lists every mistake, one sentence a line. */
export class ConfigError extends Error {
  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
    this.name = "ConfigError";
  }
}

const whole = <F extends number | undefined>(fallback: F, min: number, max: number) =>
  setting<number | F>(fallback, `a whole number from ${min} to ${max}`, (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  });
const flag = (fallback: boolean) => setting(fallback, "true or false", parseFlag);
const text = (fallback: string) => setting(fallback, "text", (value) => value);
const bytes = <F extends number | undefined>(fallback: F) =>
  setting<number | F>(fallback, "a size such as 50mb or 1048576", parseBytes);

const fileLimit = (fallback: FileLimit) =>
  setting(fallback, "a size and a number of files such as 100mb/50", parseFileLimit);

const roles: readonly Role[] = ["all", "api", "worker"];

const environmentSchema = z.object({
  PORT: whole(3_000, 0, 65_535),
  HOST: text("127.0.0.1"),
  ROLE: setting<Role>("all", `one of ${roles.join(", ")}`, (value) => roles.find((role) => role === value)),
  DATA_DIR: text(defaultDataDir),
  DATABASE_URL: setting("", "an address that starts with postgres:// or postgresql://", (value) =>
    /^postgres(ql)?:\/\//.test(value) ? value : undefined,
  ),
  DB_POOL_SIZE: whole(11, 4, 1_000),
  REDIS_URL: setting("", "an address that starts with redis:// or rediss://", (value) =>
    /^rediss?:\/\//.test(value) ? value : undefined,
  ),
  REDIS_PREFIX: setting("weft", "letters, digits, _ and -", (value) =>
    /^[\w-]{1,40}$/.test(value) ? value : undefined,
  ),
  ENCRYPTION_KEY: setting(
    "",
    "one base64 key of 32 bytes, or several, the current one last",
    (value) => parseSecretKeys(value) && value,
  ),
  JWT_KEY: setting("", "one base64 key of 32 bytes", (value) =>
    parseSecretKeys(value)?.length === 1 ? value : undefined,
  ),
  ADMIN_EMAIL: setting("", "an e-mail address", (value) =>
    /^[^\s@]+@[^\s@]+$/.test(value) ? value.toLowerCase() : undefined,
  ),
  ADMIN_PASSWORD: setting("", "at least 8 characters", (_, raw) => (raw.length >= 8 ? raw : undefined)),
  JWT_TTL: setting(43_200_000, "a duration such as 30m, 12h or 7d", parseDurationMs),
  BODY_LIMIT: bytes(50 * 1_024 ** 2),
  MAX_CONNECTIONS: whole(10_000, 1, 1_000_000),
  MAX_CONNECTIONS_PER_ADDRESS: whole(undefined, 0, 1_000_000),
  PUBLIC_URL: setting("", "an http or https address", (value) => (isHttpUrl(value) ? value : undefined)),
  ALLOWED_HOSTS: setting([], "a list of hosts such as weft.example.com, separated by commas", parseHostNames),
  HSTS: setting(0, "true, false or a duration such as 365d", parseHstsSeconds),
  TRUST_PROXY: setting(0, "true, false, or the number of proxies before this server", parseHops),
  ALLOW_PUBLIC_FLOWS: flag(false),
  PUBLIC_RATE_LIMIT: whole(60, 0, 1_000_000),
  VISITOR_FILES_CHAT: fileLimit({ bytes: 100 * 1_024 ** 2, files: 50 }),
  VISITOR_FILES_AGENT: fileLimit({ bytes: 1_024 ** 3, files: 5_000 }),
  VISITOR_FILES_TOTAL: fileLimit({ bytes: 4 * 1_024 ** 3, files: 20_000 }),
  UNSENT_FILES_RETENTION: setting(86_400_000, "a duration such as 24h", parseDurationMs),
  CORS_ORIGINS: setting([], "* or a list of origins such as https://example.com, separated by commas", parseOrigins),
  EGRESS_ALLOW: setting([], "a list of host:port separated by commas", parseHostList),
  SQL_FILES_DIR: text(""),
  VECTOR_MEMORY: bytes(undefined),
  EVENT_API: flag(true),
  EVENT_API_PORT: whole(5_566, 0, 65_535),
  LOG_LEVEL: setting("info", `one of ${logLevels.join(", ")}`, (value) => logLevels.find((level) => level === value)),
  DEFAULT_MODEL: text(""),
  EMBEDDING_MODEL_DIR: text(""),
  EMBEDDING_RETRY_MS: whole(1_000, 1, 60_000),
  RERANKER_MODEL_DIR: text(""),
  MAX_CONCURRENT_RUNS: whole(128, 1, 100_000),
  WORKER_CONCURRENCY: whole(0, 0, 100_000),
  MAX_ANONYMOUS_RUNS: whole(0, 0, 100_000),
  MAX_STREAMS: whole(2_000, 1, 1_000_000),
  MAX_QUEUED_RUNS: whole(1_000, 0, 10_000_000),
  VISITOR_RETENTION: setting(0, "a number of days such as 30d, or off", parseDays),
  LEAD_RETENTION: setting(0, "a number of days such as 90d, or off", parseDays),
  EXECUTION_RETENTION: setting(0, "a duration such as 30d", parseDurationMs),
  PAYLOAD_RETENTION: setting(30 * 86_400_000, "a number of days such as 30d, or off", parseDays),
  RUN_LEASE_MS: whole(defaultLeaseMs, shortestLeaseMs, 60_000),
  RUN_TIMEOUT_MS: whole(900_000, 1, 2_147_483_647),
  MODEL_FIRST_TOKEN_MS: whole(120_000, 1, 2_147_483_647),
  MODEL_BETWEEN_TOKENS_MS: whole(60_000, 1, 2_147_483_647),
  MODEL_ANSWER_MS: whole(600_000, 1, 2_147_483_647),
  MODEL_ANSWER_LIMIT: bytes(1_024 ** 2),
  MAX_FUNCTION_TIMEOUT_MS: whole(300_000, 1, 2_147_483_647),
  MIN_SCHEDULE_INTERVAL_SECONDS: whole(60, 1, 86_400),
  MCP_SERVERS: text(""),
  BUDGET_CEILINGS: setting({}, 'JSON such as {"run":{"tokens":500000},"visitors":{"chat":{"runs":50}}}', parseBudget),
  RUNTIME_VARIABLES: setting([], "names of variables, without the server's keys, separated by commas", parseNames),
});

/** What the providers' accounts are configured by: of several names for one key, the first has the value. */
const accountSchema = z.object(
  Object.fromEntries(
    accounts.flatMap(({ keyVariables: [key] = [], address }) => [
      ...(key === undefined ? [] : [[key, text("")] as const]),
      ...(address === undefined ? [] : [[address.variable, setting("", address.expected, address.parse)] as const]),
    ]),
  ),
);

/** Every variable that configures the server, without further names for the same one. */
export const environmentVariables = [environmentSchema, accountSchema]
  .flatMap(({ shape }) => Object.keys(shape))
  .concat("MODEL_PRICES", traceVariables);

/** What the operator decides, with defaults in place. */
export type Config = {
  /** 0: any free port. */
  port: number;
  host: string;
  /** Whether this process serves clients, works on runs, or does both. */
  role: Role;
  dataDir: string;
  /** Empty: SQLite in `dataDir`. */
  databaseUrl: Secret;
  /** Connections of this process to PostgreSQL. */
  poolSize: number;
  /** Where processes on one database tell each other what is ready and what happens; undefined: over the database. */
  redis: { url: Secret; prefix: string } | undefined;
  /** In place of the key files in `dataDir`, each where it is not empty. */
  encryptionKey: Secret;
  jwtKey: Secret;
  /** An account that exists after the start; undefined when none is configured. */
  admin: { email: string; password: Secret } | undefined;
  jwtTtlMs: number;
  bodyLimitBytes: number;
  /** Connections at once. */
  maxConnections: number;
  /** Connections at once from one address, 512 by default; 0: any number, as with trusted proxies. */
  maxConnectionsPerAddress: number;
  /** Where browsers reach the server; empty when the operator does not say. */
  publicUrl: string;
  /** Hosts that requests may name, in lower case. Empty: no list. */
  allowedHosts: readonly string[];
  /** What `Strict-Transport-Security` says; 0: nothing. */
  hstsSeconds: number;
  /** Proxies before this server whose X-Forwarded-For is believed; Infinity: however many there are. */
  trustedProxyHops: number;
  allowPublicFlows: boolean;
  /** Writes to public agents without credentials, each minute and from each address; 0: any number. */
  publicRateLimit: number;
  /** What visitors may have stored at once. */
  visitorFiles: VisitorFileLimits;
  /** How long files stay in a chat that does not begin. */
  unsentFilesMs: number;
  /** Origins whose pages may use the whole API, in lower case; `*`: all. */
  corsOrigins: readonly string[];
  /** Entries `host:port` that flows may call although their addresses are private. */
  egressAllow: readonly string[];
  /** The folder below which flows may open SQLite files; empty: none. */
  sqlFilesDir: string;
  /** What vectors of the embedded store may take in memory; undefined: a share of what there is. */
  vectorMemoryBytes: number | undefined;
  /** Port of the event API beside the server; undefined when it is off. */
  eventApiPort: number | undefined;
  logLevel: (typeof logLevels)[number];
  /** By the name of each account; an empty key or address is one that is not configured. */
  accounts: Readonly<Record<string, { apiKey: Secret; baseUrl: string }>>;
  defaultModel: string;
  /** Paths of folders with models of the operator's own; empty: none. */
  modelFolders: { embedding: string; reranker: string };
  /** The first pause before an embedding request that failed is made again; each further one is twice as long. */
  embeddingRetryMs: number;
  maxConcurrentRuns: number;
  /** Runs of all visitors together. */
  maxAnonymousRuns: number;
  /** Answers that are streamed at once. */
  maxStreams: number;
  maxQueuedRuns: number;
  /** How long a run stays with a process that shows no sign of life. */
  runLeaseMs: number;
  runTimeoutMs: number;
  /** Most bytes of a model's answer. */
  modelAnswerBytes: number;
  /** How long models may keep silent. */
  modelLimits: { firstTokenMs: number; betweenTokensMs: number; answerMs: number };
  /** Longest that the code of a function or custom tool may take, whatever it names itself. */
  maxFunctionTimeoutMs: number;
  /** How long what visitors leave is kept. */
  visitorRetention: VisitorRetention;
  /** How long runs are kept after their end; 0: for ever. */
  executionRetentionMs: number;
  /** How long large inputs and outputs of steps are kept after the end of their run; 0: as long as the run. */
  payloadRetentionMs: number;
  /** Above which no agent's budget goes. */
  budgetCeilings: NonNullable<ReturnType<typeof parseBudget>>;
  /** Schedules that are due more often are refused. */
  minScheduleIntervalMs: number;
  /** What every run reads as `$vars` unless a stored variable has the name. */
  variables: Readonly<Record<string, string>>;
  /** What flows may read of the environment, by name. */
  runtimeVariables: ReadonlyMap<string, Secret>;
  /** MCP servers that flows may name: JSON text, or the path of a file with it; see `readCommandSettings`. */
  mcpServers: Secret;
  /** Where traces go; undefined: nowhere. */
  traces: TraceSettings | undefined;
  /** What models cost that the shipped list does not know, or knows otherwise. */
  modelPrices: OwnPrices;
  /** Whether npm runs this process, through a shell of its own. */
  isRunByNpm: boolean;
};

/** A value that no log line, JSON text or string shows by accident. `reveal` gives it to whom it is for. */
export type Secret = { reveal(): string; readonly isEmpty: boolean; toString(): string; toJSON(): string };

/**
 * Reads the environment; the only code that does. An empty variable counts as unset.
 * Throws `ConfigError` with all mistakes at once.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const parsed = environmentSchema.safeParse({
    ...env,
    BODY_LIMIT: env.BODY_LIMIT || env.FLOWISE_FILE_SIZE_LIMIT,
  });
  const vendors = accountSchema.safeParse({ ...env, ...keysByFirstName(env) });
  const issues = [...(parsed.error?.issues ?? []), ...(vendors.error?.issues ?? [])];
  const traces = readTraceSettings(env);
  const prices = readOwnPrices(env.MODEL_PRICES);
  const mistakes = [
    ...issues.map(toSentence),
    ...findHalfAccount(env),
    ...findLonelyRole(env),
    ...findOpenData(env),
    ...traces.mistakes,
    ...prices.mistakes,
  ];
  if (!parsed.success || !vendors.success || mistakes.length > 0) throw new ConfigError(mistakes);
  const value = parsed.data;
  const maxConcurrentRuns = value.WORKER_CONCURRENCY || value.MAX_CONCURRENT_RUNS;
  return {
    port: value.PORT,
    host: value.HOST,
    role: value.ROLE,
    dataDir: value.DATA_DIR,
    databaseUrl: createSecret(value.DATABASE_URL),
    poolSize: value.DB_POOL_SIZE,
    redis: value.REDIS_URL === "" ? undefined : { url: createSecret(value.REDIS_URL), prefix: value.REDIS_PREFIX },
    encryptionKey: createSecret(value.ENCRYPTION_KEY),
    jwtKey: createSecret(value.JWT_KEY),
    admin:
      value.ADMIN_EMAIL === "" ? undefined : { email: value.ADMIN_EMAIL, password: createSecret(value.ADMIN_PASSWORD) },
    jwtTtlMs: value.JWT_TTL,
    bodyLimitBytes: value.BODY_LIMIT,
    maxConnections: value.MAX_CONNECTIONS,
    maxConnectionsPerAddress: value.MAX_CONNECTIONS_PER_ADDRESS ?? (value.TRUST_PROXY === 0 ? 512 : 0),
    publicUrl: value.PUBLIC_URL,
    allowedHosts: value.ALLOWED_HOSTS,
    hstsSeconds: value.HSTS,
    trustedProxyHops: value.TRUST_PROXY,
    allowPublicFlows: value.ALLOW_PUBLIC_FLOWS,
    publicRateLimit: value.PUBLIC_RATE_LIMIT,
    visitorFiles: {
      perChat: value.VISITOR_FILES_CHAT,
      perAgent: value.VISITOR_FILES_AGENT,
      inTotal: value.VISITOR_FILES_TOTAL,
    },
    unsentFilesMs: value.UNSENT_FILES_RETENTION,
    corsOrigins: value.CORS_ORIGINS,
    egressAllow: value.EGRESS_ALLOW,
    sqlFilesDir: value.SQL_FILES_DIR,
    vectorMemoryBytes: value.VECTOR_MEMORY,
    eventApiPort: value.EVENT_API ? value.EVENT_API_PORT : undefined,
    logLevel: value.LOG_LEVEL,
    accounts: toAccounts(vendors.data),
    defaultModel: value.DEFAULT_MODEL,
    modelFolders: { embedding: value.EMBEDDING_MODEL_DIR, reranker: value.RERANKER_MODEL_DIR },
    embeddingRetryMs: value.EMBEDDING_RETRY_MS,
    maxConcurrentRuns,
    maxAnonymousRuns: value.MAX_ANONYMOUS_RUNS || Math.max(1, Math.floor(maxConcurrentRuns / 2)),
    maxStreams: value.MAX_STREAMS,
    maxQueuedRuns: value.MAX_QUEUED_RUNS,
    runLeaseMs: value.RUN_LEASE_MS,
    runTimeoutMs: value.RUN_TIMEOUT_MS,
    modelAnswerBytes: value.MODEL_ANSWER_LIMIT,
    modelLimits: {
      firstTokenMs: value.MODEL_FIRST_TOKEN_MS,
      betweenTokensMs: value.MODEL_BETWEEN_TOKENS_MS,
      answerMs: value.MODEL_ANSWER_MS,
    },
    maxFunctionTimeoutMs: value.MAX_FUNCTION_TIMEOUT_MS,
    visitorRetention: { visitorMs: value.VISITOR_RETENTION, leadMs: value.LEAD_RETENTION },
    executionRetentionMs: value.EXECUTION_RETENTION,
    payloadRetentionMs: value.PAYLOAD_RETENTION,
    budgetCeilings: value.BUDGET_CEILINGS,
    minScheduleIntervalMs: value.MIN_SCHEDULE_INTERVAL_SECONDS * 1_000,
    variables: value.EVENT_API ? { eventApi: `http://127.0.0.1:${value.EVENT_API_PORT}` } : {},
    runtimeVariables: pickSecrets(env, value.RUNTIME_VARIABLES),
    mcpServers: createSecret(value.MCP_SERVERS),
    traces: traces.settings,
    modelPrices: prices.prices,
    isRunByNpm: env.npm_lifecycle_event !== undefined,
  };
}

/** The keys of accounts, each under the first of its names: the value of the first that is set. */
function keysByFirstName(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(
    accounts.flatMap(({ keyVariables: [first, ...others] = [] }) =>
      first === undefined ? [] : [[first, [first, ...others].map((name) => env[name]).find(Boolean)]],
    ),
  );
}

function toAccounts(values: Readonly<Record<string, string>>): Config["accounts"] {
  return Object.fromEntries(
    accounts.map(({ name, keyVariables: [key = ""] = [], address }) => [
      name,
      { apiKey: createSecret(values[key] ?? ""), baseUrl: values[address?.variable ?? ""] ?? "" },
    ]),
  );
}

/** The environment of a program that the operator's command starts, with these variables in it. */
export function environmentWith(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...variables };
}

/** Those of the named variables that are set. */
function pickSecrets(env: Readonly<Record<string, string | undefined>>, names: readonly string[]): Map<string, Secret> {
  const secrets = new Map<string, Secret>();
  for (const name of names) {
    const value = env[name];
    if (value !== undefined) secrets.set(name, createSecret(value));
  }
  return secrets;
}

function createSecret(value: string): Secret {
  const hidden = () => "[secret]";
  return { reveal: () => value, isEmpty: value === "", toString: hidden, toJSON: hidden };
}

/** A variable: its default when unset or empty, else what `parse` reads (without outer spaces), undefined for a mistake. */
function setting<T>(fallback: NoInfer<T>, expected: string, parse: (text: string, raw: string) => T | undefined) {
  return z
    .string()
    .default("")
    .transform((raw, context): T => {
      if (raw.trim() === "") return fallback;
      const value = parse(raw.trim(), raw);
      if (value !== undefined) return value;
      context.addIssue({ code: "custom", message: `must be ${expected}` });
      return z.NEVER;
    });
}

/** A mistake never repeats the value: it may be a secret. */
function toSentence({ path, message }: z.core.$ZodIssue): string {
  return `${path.join(".")} ${message}.`;
}
