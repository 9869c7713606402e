import { join, resolve, sep } from "node:path";
import type { VisitorFileLimits } from "@weft/chats";
import type { logLevels } from "@weft/http/logger";
import { accounts } from "@weft/providers";
import type { Role } from "@weft/run-host";
import type { VisitorRetention } from "@weft/schema";
import { type OwnPrices, readOwnPrices, readTraceSettings, type TraceSettings, traceVariables } from "@weft/telemetry";
import { z } from "zod";
import { setting, text } from "./config-setting.ts";
import { settings } from "./config-settings.ts";
import { defaultDataDir, type parseBudget } from "./config-values.ts";

/** Invalid configuration. The message lists every mistake, one sentence a line. */
export class ConfigError extends Error {
  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
    this.name = "ConfigError";
  }
}

const environmentSchema = z.object(settings);

/** The variables of the providers' accounts: of several names for one key, the first has the value. */
const accountSchema = z.object(
  Object.fromEntries(
    accounts.flatMap(({ keyVariables: [key] = [], address }) => [
      ...(key === undefined ? [] : [[key, text("")] as const]),
      ...(address === undefined ? [] : [[address.variable, setting("", address.expected, address.parse)] as const]),
    ]),
  ),
);

/** Every variable that configures the server, without aliases. */
export const environmentVariables = [environmentSchema, accountSchema]
  .flatMap(({ shape }) => Object.keys(shape))
  .concat("MODEL_PRICES", traceVariables);

/** The operator's settings, with defaults applied. */
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
  /** Lets processes on one database tell each other what is ready and what happens; undefined: over the database. */
  redis: { url: Secret; prefix: string } | undefined;
  /** Replace the key files in `dataDir`, each if not empty. */
  encryptionKey: Secret;
  jwtKey: Secret;
  /** An account created at start; undefined if none is configured. */
  admin: { email: string; password: Secret } | undefined;
  /** Where people sign in by OpenID Connect; undefined if none is configured. */
  identityProvider: { issuer: string; clientId: string; clientSecret: Secret; name: string } | undefined;
  /** The server that takes mail; undefined if none is configured. */
  mail: { host: string; port: number; isSecure: boolean; user: string; password: Secret; from: string } | undefined;
  /** From when there are notices. */
  notices: { failedRuns: number; failedPercent: number; waitingMs: number };
  jwtTtlMs: number;
  bodyLimitBytes: number;
  /** Concurrent connections. */
  maxConnections: number;
  /** Concurrent connections from one address, 1,536 by default; 0: any number, as with trusted proxies. */
  maxConnectionsPerAddress: number;
  /** The server's URL for browsers; empty if not configured. */
  publicUrl: string;
  /** Hosts that requests may name, in lower case. Empty: no list. */
  allowedHosts: readonly string[];
  /** Value for `Strict-Transport-Security`; 0: no header. */
  hstsSeconds: number;
  /** Proxies before this server whose X-Forwarded-For is trusted; Infinity: however many there are. */
  trustedProxyHops: number;
  /** Whether public agents answer without credentials; undefined: as an account has chosen. */
  allowPublicFlows: boolean | undefined;
  /** Writes to public agents without credentials, per minute and address; 0: any number. */
  publicRateLimit: number;
  /** Storage limits of visitors' files. */
  visitorFiles: VisitorFileLimits;
  /** How long files stay in a chat that does not start. */
  unsentFilesMs: number;
  /** Origins whose pages may use the whole API, in lower case; `*`: all. */
  corsOrigins: readonly string[];
  /** Entries `host:port` that flows may call although their addresses are private. */
  egressAllow: readonly string[];
  /** The folder below which flows may open SQLite files; empty: none. */
  sqlFilesDir: string;
  /** Memory for vectors of the embedded store; undefined: a share of the available memory. */
  vectorMemoryBytes: number | undefined;
  /** Port of the event API beside the server; undefined if it is off. */
  eventApiPort: number | undefined;
  logLevel: (typeof logLevels)[number];
  /** By account name; an empty key or address is not configured. */
  accounts: Readonly<Record<string, { apiKey: Secret; baseUrl: string }>>;
  defaultModel: string;
  /** Paths of folders with the operator's own models; empty: none. */
  modelFolders: { embedding: string; reranker: string };
  /** Pause before the first retry of a failed embedding request; doubled for each further one. */
  embeddingRetryMs: number;
  maxConcurrentRuns: number;
  /** How late the event loop may be before messages are refused; 0: any time. */
  maxLoopDelayMs: number;
  /** Runs of all visitors together. */
  maxAnonymousRuns: number;
  /** Answers streamed at once. */
  maxStreams: number;
  maxQueuedRuns: number;
  /** How long a process keeps a run without renewing its lease. */
  runLeaseMs: number;
  runTimeoutMs: number;
  /** Most bytes of a model's answer. */
  modelAnswerBytes: number;
  /** Of one drafted flow; 0: none is drafted. */
  flowDraftTokens: number;
  /** How long models may stay silent. */
  modelLimits: { firstTokenMs: number; betweenTokensMs: number; answerMs: number };
  /** Longest run time of a function or custom tool, overriding a longer one of its own. */
  maxFunctionTimeoutMs: number;
  /** How long visitors' data is kept. */
  visitorRetention: VisitorRetention;
  /** How long runs are kept after their end; 0: forever. */
  executionRetentionMs: number;
  /** How long large inputs and outputs of steps are kept after the end of their run; 0: as long as the run. */
  payloadRetentionMs: number;
  /** How long entries of the audit log are kept; 0: forever. */
  auditRetentionMs: number;
  /** Upper limits of every agent's budget. */
  budgetCeilings: NonNullable<ReturnType<typeof parseBudget>>;
  /** More frequent schedules are rejected. */
  minScheduleIntervalMs: number;
  /** Readable in every run as `$vars`, unless a stored variable has the name. */
  variables: Readonly<Record<string, string>>;
  /** Environment variables that flows may read, by name. */
  runtimeVariables: ReadonlyMap<string, Secret>;
  /** MCP servers that flows may name: JSON text, or the path of a file with it; see `readCommandSettings`. */
  mcpServers: Secret;
  /** Destination of traces; undefined: none. */
  traces: TraceSettings | undefined;
  /** Prices of models that the shipped list lacks, or lists differently. */
  modelPrices: OwnPrices;
  /** npm runs this process, through a shell of its own. */
  isRunByNpm: boolean;
};

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
    ...findHalves(env),
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
    admin: toAdmin(value),
    ...{ identityProvider: toIdentityProvider(value), ...toNoticeSettings(value) },
    jwtTtlMs: value.JWT_TTL,
    bodyLimitBytes: value.BODY_LIMIT,
    maxConnections: value.MAX_CONNECTIONS,
    maxConnectionsPerAddress: value.MAX_CONNECTIONS_PER_ADDRESS ?? (value.TRUST_PROXY === 0 ? 1_536 : 0),
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
    maxLoopDelayMs: value.MAX_EVENT_LOOP_DELAY_MS,
    maxStreams: value.MAX_STREAMS,
    maxQueuedRuns: value.MAX_QUEUED_RUNS,
    runLeaseMs: value.RUN_LEASE_MS,
    runTimeoutMs: value.RUN_TIMEOUT_MS,
    modelAnswerBytes: value.MODEL_ANSWER_LIMIT,
    flowDraftTokens: value.FLOW_DRAFT_TOKENS,
    modelLimits: toModelLimits(value),
    maxFunctionTimeoutMs: value.MAX_FUNCTION_TIMEOUT_MS,
    visitorRetention: { visitorMs: value.VISITOR_RETENTION, leadMs: value.LEAD_RETENTION },
    executionRetentionMs: value.EXECUTION_RETENTION,
    payloadRetentionMs: value.PAYLOAD_RETENTION,
    auditRetentionMs: value.AUDIT_RETENTION_DAYS * 86_400_000,
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

function toModelLimits(value: z.output<typeof environmentSchema>): Config["modelLimits"] {
  const { MODEL_FIRST_TOKEN_MS: firstTokenMs, MODEL_BETWEEN_TOKENS_MS: betweenTokensMs } = value;
  return { firstTokenMs, betweenTokensMs, answerMs: value.MODEL_ANSWER_MS };
}

function toAdmin({ ADMIN_EMAIL: email, ADMIN_PASSWORD }: z.output<typeof environmentSchema>): Config["admin"] {
  return email === "" ? undefined : { email, password: createSecret(ADMIN_PASSWORD) };
}

function toIdentityProvider(value: z.output<typeof environmentSchema>): Config["identityProvider"] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET, OIDC_NAME: name } = value;
  return issuer === "" ? undefined : { issuer, clientId, clientSecret: createSecret(OIDC_CLIENT_SECRET), name };
}

function toNoticeSettings(value: z.output<typeof environmentSchema>): Pick<Config, "mail" | "notices"> {
  const { NOTICE_FAILED_RUNS: failedRuns, NOTICE_FAILED_PERCENT: failedPercent, NOTICE_WAITING_MINUTES } = value;
  const notices = { failedRuns, failedPercent, waitingMs: NOTICE_WAITING_MINUTES * 60_000 };
  return { mail: toMailServer(value), notices };
}

function toMailServer({ SMTP_URL, MAIL_FROM: from }: z.output<typeof environmentSchema>): Config["mail"] {
  const url = URL.parse(SMTP_URL);
  if (url === null) return undefined;
  const isSecure = url.protocol === "smtps:";
  const port = Number(url.port) || (isSecure ? 465 : 587);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return { host: url.hostname, port, isSecure, user, password: createSecret(password), from };
}

/** The keys of accounts, each under its first name: the value of the first that is set. */
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

/** The environment for a program that the operator's command starts, with these variables added. */
export function environmentWith(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...variables };
}

/** The named variables that are set. */
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

/** A mistake never repeats the value: it may be a secret. */
function toSentence({ path, message }: z.core.$ZodIssue): string {
  return `${path.join(".")} ${message}.`;
}

/** Environment variables before they are parsed. */
type Environment = Readonly<Record<string, string | undefined>>;

function findHalves(env: Environment): string[] {
  const pairs = [
    ["ADMIN_EMAIL", "ADMIN_PASSWORD"],
    ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
    ["SMTP_URL", "MAIL_FROM"],
  ] as const;
  const halves = pairs.filter(([one, other]) => !env[one]?.trim() !== !env[other]?.trim());
  return halves.map(([one, other]) => `${one} and ${other} must be set together, or neither.`);
}

/** A process that leaves part of the work to others needs a shared database. */
function findLonelyRole({ ROLE, REDIS_URL, DATABASE_URL }: Environment): string[] {
  if (DATABASE_URL?.trim()) return [];
  const shared = "connects processes on one PostgreSQL database: set DATABASE_URL, too.";
  return [
    ...(["", "all"].includes(ROLE?.trim() ?? "") ? [] : [`ROLE=${ROLE} ${shared}`]),
    ...(REDIS_URL?.trim() ? [`REDIS_URL ${shared}`] : []),
  ];
}

/** Flows must not read the platform's own database and keys. */
function findOpenData({ SQL_FILES_DIR, DATA_DIR }: Environment): string[] {
  const files = SQL_FILES_DIR?.trim();
  if (!files) return [];
  const opened = join(resolve(files), sep);
  const kept = join(resolve(DATA_DIR?.trim() || defaultDataDir), sep);
  if (!kept.startsWith(opened) && !opened.startsWith(kept)) return [];
  return ["SQL_FILES_DIR must be apart from DATA_DIR, which holds the platform's own data. Use another folder."];
}
