import { parseSecretKeys } from "@weft/database/secret-file";
import { logLevels } from "@weft/http/logger";
import { defaultLeaseMs, type Role, shortestLeaseMs } from "@weft/run-host";
import { isIssuer } from "@weft/schema";
import type { traceVariables } from "@weft/telemetry";
import { bytes, fileLimit, flag, optionalFlag, type SettingText, setting, text, whole } from "./config-setting.ts";
import {
  defaultDataDir,
  isHttpUrl,
  isSmtpUrl,
  parseBudget,
  parseDays,
  parseDurationMs,
  parseHops,
  parseHostList,
  parseHostNames,
  parseHstsSeconds,
  parseNames,
  parseOrigins,
  parseRetention,
} from "./config-values.ts";

// One row per setting: how it is read, its default, and its purpose. `./weft configuration` generates
// docs/configuration.md from it.

const roles: readonly Role[] = ["all", "api", "worker"];

const address = {
  PORT: whole(3_000, 0, 65_535).meta({ does: "The port of the API; `0` takes a free one." }),
  HOST: text("127.0.0.1").meta({ does: "The address that the API listens on. `0.0.0.0`: every network." }),
  PUBLIC_URL: setting("", "an http or https address", (value) => (isHttpUrl(value) ? value : undefined)).meta({
    does: "Where browsers reach the server, such as `https://weft.example.com`.",
  }),
  ALLOWED_HOSTS: setting([], "a list of hosts such as weft.example.com, separated by commas", parseHostNames).meta({
    does: "Host names, separated by commas, that requests without credentials may use. If this, `PUBLIC_URL` and `TRUST_PROXY` are all unset, a server that listens only on a loopback address accepts only `localhost` and IP addresses.",
  }),
  TRUST_PROXY: setting(0, "true, false, or the number of proxies before this server", parseHops).meta({
    does: "Number of proxies in front of the server whose `X-Forwarded-For` is trusted, `true` (any number; only if your proxy replaces the header) or `false`. Without it, all clients behind a proxy share one limit.",
  }),
  HSTS: setting(0, "true, false or a duration such as 365d", parseHstsSeconds).meta({
    shown: "false",
    does: "`true` (one year) or a duration: browsers then use only HTTPS for this host.",
  }),
  CORS_ORIGINS: setting(
    [],
    "* or a list of origins such as https://example.com, separated by commas",
    parseOrigins,
  ).meta({
    does: "Origins, separated by commas, whose pages may use the whole API; `*`: all. A public agent's own `allowedOrigins` apply in addition.",
  }),
  BODY_LIMIT: bytes(50 * 1_024 ** 2).meta({
    shown: "50mb",
    does: "Maximum size of a request body. `FLOWISE_FILE_SIZE_LIMIT` works, too.",
  }),
  MAX_CONNECTIONS: whole(10_000, 1, 1_000_000).meta({ does: "Concurrent connections." }),
  MAX_CONNECTIONS_PER_ADDRESS: whole(undefined, 0, 1_000_000).meta({
    shown: "1536; with `TRUST_PROXY` no limit",
    does: "Concurrent connections from one address (a /64 for IPv6); 0: no limit. Connections from the same machine have none.",
  }),
};

const data = {
  DATA_DIR: text(defaultDataDir).meta({
    does: "The folder of the database and the keys. Anyone who can read it has the operator's rights.",
  }),
  DATABASE_URL: setting("", "an address that starts with postgres:// or postgresql://", (value) =>
    /^postgres(ql)?:\/\//.test(value) ? value : undefined,
  ).meta({
    does: "Empty: SQLite in `DATA_DIR`. `postgres://…`: PostgreSQL 15 or later. Processes that share a database need the same keys: in `ENCRYPTION_KEY` and `JWT_KEY`, or as files in their `DATA_DIR`.",
  }),
  DB_POOL_SIZE: whole(11, 4, 1_000).meta({
    does: "Connections of a process to PostgreSQL: one listens, two commit (one of fewer than 8), the others read and run transactions. Embedded vector search has four more of its own while it is in use, and `pgvector` stores have theirs.",
  }),
  ENCRYPTION_KEY: setting(
    "",
    "one base64 key of 32 bytes, or several, the current one last",
    (value) => parseSecretKeys(value) && value,
  ).meta({
    does: "The key that encrypts credentials, in place of `encryption.key` in `DATA_DIR`: base64 of 32 bytes (`openssl rand -base64 32`). May hold several, separated by commas; the last one encrypts, all decrypt. A process whose keys are not those of its PostgreSQL database does not start. `RUNTIME_VARIABLES` cannot name it.",
  }),
  JWT_KEY: setting("", "one base64 key of 32 bytes", (value) =>
    parseSecretKeys(value)?.length === 1 ? value : undefined,
  ).meta({
    does: "The key that signs tokens, in place of `jwt.key` in `DATA_DIR`, in the same form. `RUNTIME_VARIABLES` cannot name it.",
  }),
};

const processes = {
  ROLE: setting<Role>("all", `one of ${roles.join(", ")}`, (value) => roles.find((role) => role === value)).meta({
    does: "With PostgreSQL: `api` serves clients and leaves runs to others, `worker` works on runs and serves only health checks, metrics and the state of the system, `all` does both. Start as many of each as you like: [many processes](many-processes.md).",
  }),
  WORKER_CONCURRENCY: whole(0, 0, 100_000).meta({
    shown: "`MAX_CONCURRENT_RUNS`",
    does: "Runs that a process works on at once.",
  }),
  REDIS_URL: setting("", "an address that starts with redis:// or rediss://", (value) =>
    /^rediss?:\/\//.test(value) ? value : undefined,
  ).meta({
    does: "Redis or Valkey (`redis://…`, `rediss://…`), through which processes wake each other (BullMQ) and stream each other's runs word by word. Without it they use the database, and streams of other processes' runs come step by step. Nothing is lost when it fails or is emptied.",
  }),
  REDIS_PREFIX: setting("weft", "letters, digits, _ and -", (value) =>
    /^[\w-]{1,40}$/.test(value) ? value : undefined,
  ).meta({ does: "Begins every key in Redis. Installations that share one need different prefixes." }),
  RUN_LEASE_MS: whole(defaultLeaseMs, shortestLeaseMs, 60_000).meta({
    does: "How long a run waits for a silent process before another one takes it over: [many processes](many-processes.md).",
  }),
};

const people = {
  ADMIN_EMAIL: setting("", "an e-mail address", (value) =>
    /^[^\s@]+@[^\s@]+$/.test(value) ? value.toLowerCase() : undefined,
  ).meta({
    does: "With `ADMIN_PASSWORD`, creates the first account. Without them the first start prints a one-time set-up address.",
  }),
  ADMIN_PASSWORD: setting("", "at least 8 characters", (_, raw) => (raw.length >= 8 ? raw : undefined)).meta({
    does: "The password of `ADMIN_EMAIL`.",
  }),
  OIDC_ISSUER: setting("", "an address such as https://example.okta.com, without ? and #", (value) =>
    isIssuer(value) ? value : undefined,
  ).meta({
    does: "A provider where people sign in by OpenID Connect, besides those under *Settings → Sign-in*: [single sign-on](single-sign-on.md). Register `<address of this server>/sign-in/sso` there as redirect URI.",
  }),
  OIDC_CLIENT_ID: text("").meta({ does: "The ID that `OIDC_ISSUER` gave to this server; needed with it." }),
  OIDC_CLIENT_SECRET: text("").meta({ does: "The secret for `OIDC_CLIENT_ID`; none for a public client." }),
  OIDC_NAME: text("single sign-on").meta({ does: "What the sign-in page calls `OIDC_ISSUER`." }),
  JWT_TTL: setting(43_200_000, "a duration such as 30m, 12h or 7d", parseDurationMs).meta({
    shown: "12h",
    does: "How long a login lasts.",
  }),
};

const visitors = {
  ALLOW_PUBLIC_FLOWS: optionalFlag().meta({
    shown: "*unset*",
    does: "Whether agents with `isPublic` answer without credentials. Unset: as chosen in the builder (*Settings → Visitors*), and not until then.",
  }),
  PUBLIC_RATE_LIMIT: whole(60, 0, 1_000_000).meta({
    does: "Write requests to public agents without credentials, per minute and client, and ten times as many reads; 0: unlimited. This and the limits of agents and log-ins hold for all processes on a PostgreSQL database together, counted in Redis with `REDIS_URL`. While that does not answer, each process counts for itself.",
  }),
  VISITOR_FILES_CHAT: fileLimit({ bytes: 100 * 1_024 ** 2, files: 50 }).meta({
    shown: "100mb/50",
    does: "Size and number of files that visitors without credentials may store per chat.",
  }),
  VISITOR_FILES_AGENT: fileLimit({ bytes: 1_024 ** 3, files: 5_000 }).meta({
    shown: "1gb/5000",
    does: "The same, per agent.",
  }),
  VISITOR_FILES_TOTAL: fileLimit({ bytes: 4 * 1_024 ** 3, files: 20_000 }).meta({
    shown: "4gb/20000",
    does: "The same, in total.",
  }),
  BUDGET_CEILINGS: setting(
    {},
    'JSON such as {"run":{"tokens":500000},"visitors":{"chat":{"runs":50}}}',
    parseBudget,
  ).meta({
    does: "JSON above which no agent's budget goes: runs, tokens, US dollars and bytes of visitors a day, calls and tokens of a run: [budgets](budgets.md).",
  }),
};

const kept = {
  VISITOR_RETENTION: setting(0, "a number of days such as 30d, or off", parseDays).meta({
    shown: "off",
    does: "Days, such as `30d`, after which chats of visitors without credentials are erased with their runs, files, feedback and documents: [privacy](privacy.md). An agent's own setting may be shorter.",
  }),
  LEAD_RETENTION: setting(0, "a number of days such as 90d, or off", parseDays).meta({
    shown: "off",
    does: "Days after which leads are deleted. An agent's own setting may be shorter.",
  }),
  UNSENT_FILES_RETENTION: setting(86_400_000, "a duration such as 24h", parseDurationMs).meta({
    shown: "24h",
    does: "Files of a chat that never begins are deleted after this time.",
  }),
  EXECUTION_RETENTION: setting(0, "a duration such as 30d, or off", parseRetention).meta({
    shown: "off",
    does: "How long to keep finished runs, for example `30d`, and files whose chat has no runs left. Runs that wait for a person are never deleted.",
  }),
  PAYLOAD_RETENTION: setting(30 * 86_400_000, "a number of days such as 30d, or off", parseDays).meta({
    shown: "30d",
    does: "How long after the end of a run to keep its step inputs and outputs over 64 KB, or `off`; the execution shows where they were removed. Messages, files and runs that wait for a person are kept in full. A run with removed data cannot be retried.",
  }),
  AUDIT_RETENTION_DAYS: whole(400, 0, 36_500).meta({
    does: "Days after which entries of the audit log are deleted; 0: they are kept: [audit log](audit.md).",
  }),
};

const reach = {
  EGRESS_ALLOW: setting([], "a list of host:port separated by commas", parseHostList).meta({
    does: "`host:port` entries, separated by commas, that agents may call although the address is private.",
  }),
  SQL_FILES_DIR: text("").meta({
    does: "Folder whose SQLite files agents may use, apart from `DATA_DIR`; none if empty: [databases](databases.md).",
  }),
  MCP_SERVERS: text("").meta({
    does: 'Local MCP server programs that agents may use by name: JSON, or the path of a JSON file: `{ "files": { "command": "npx", "args": ["…"], "env": { "PATH": "/usr/bin" } } }`. They see no other environment variables.',
  }),
  RUNTIME_VARIABLES: setting([], "names of variables, without the server's keys, separated by commas", parseNames).meta(
    {
      does: "Names of environment variables, separated by commas, that flows may read as `$vars` through variables of type `runtime`.",
    },
  ),
  EVENT_API: flag(true).meta({
    does: "Whether the reference event API runs with the platform. `./weft event-api` runs it alone.",
  }),
  EVENT_API_PORT: whole(5_566, 0, 65_535).meta({ does: "Its port, and what `{{ $vars.eventApi }}` points to." }),
};

const models = {
  DEFAULT_MODEL: text("").meta({
    does: "The model where a flow names none: `model` or `provider/model`; with `OPENAI_BASE_URL`, that server's model id, unchanged.",
  }),
  EMBEDDING_MODEL_DIR: text("").meta({
    does: "Folder with an embedding model that document stores can choose, as ONNX: [model folders](model-folders.md).",
  }),
  RERANKER_MODEL_DIR: text("").meta({ does: "Folder with a reranker that document stores can choose, as ONNX." }),
  EMBEDDING_RETRY_MS: whole(1_000, 1, 60_000).meta({
    does: "The first pause before an embedding request that failed is made again; each further one is twice as long.",
  }),
  MODEL_FIRST_TOKEN_MS: whole(120_000, 1, 2_147_483_647).meta({
    does: "How long a streaming model may stay silent before its first token.",
  }),
  MODEL_BETWEEN_TOKENS_MS: whole(60_000, 1, 2_147_483_647).meta({ does: "The same between two tokens." }),
  MODEL_ANSWER_MS: whole(600_000, 1, 2_147_483_647).meta({
    does: "Maximum wait for an answer that is not streamed.",
  }),
  MODEL_ANSWER_LIMIT: bytes(1_024 ** 2).meta({
    shown: "1mb",
    does: "Maximum size of a model's answer, tool calls included; a longer one is not read to its end.",
  }),
  FLOW_DRAFT_TOKENS: whole(400_000, 0, 1_000_000_000).meta({
    does: "Tokens that drafting one flow from a description may use, input and output together; 0: flows are not drafted.",
  }),
  VECTOR_MEMORY: bytes(undefined).meta({
    shown: "a quarter of the memory",
    does: "What vectors of embedded document stores may take in memory, for each process that searches them: about 0.55 KB for a vector of 384 numbers, 1.7 KB for one of 1,536. Stores that were not searched for the longest time make room for others; a single store above the limit is refused.",
  }),
};

const capacity = {
  MAX_CONCURRENT_RUNS: whole(2_048, 1, 100_000).meta({
    does: "Concurrent runs of a process, those included that wait for a model or a tool. One caller of one agent gets at most half.",
  }),
  MAX_EVENT_LOOP_DELAY_MS: whole(200, 0, 60_000).meta({
    does: "How late a process may be with its work, for a whole second, before it answers new messages with 503 and `Retry-After`: those of callers who have runs under way, and five times as late those of all. Runs under way go on. 0: no limit.",
  }),
  MAX_QUEUED_RUNS: whole(1_000, 0, 10_000_000).meta({
    does: "Queued runs of a process; beyond that the response is 503 with `Retry-After`. One caller of one agent gets at most half, all visitors without credentials together at most half, one session at most 100.",
  }),
  MAX_ANONYMOUS_RUNS: whole(0, 0, 100_000).meta({
    shown: "half of `MAX_CONCURRENT_RUNS`",
    does: "Runs of all visitors without credentials together.",
  }),
  MAX_STREAMS: whole(4_096, 1, 1_000_000).meta({
    does: "Concurrent streams; one caller gets at most half of them, as do all visitors together.",
  }),
  RUN_TIMEOUT_MS: whole(900_000, 1, 2_147_483_647).meta({
    does: "Maximum duration of a run; an agent's own may be shorter.",
  }),
  MAX_FUNCTION_TIMEOUT_MS: whole(300_000, 1, 2_147_483_647).meta({
    does: "Upper limit for the timeout that a step may set for the code of a function or custom tool; the default timeout is 30 seconds.",
  }),
  MIN_SCHEDULE_INTERVAL_SECONDS: whole(60, 1, 86_400).meta({
    does: "Schedules that would run more often are refused.",
  }),
};

const notices = {
  SMTP_URL: setting("", "an address such as smtp://user:password@mail.example.com:587", (value) =>
    isSmtpUrl(value) ? value : undefined,
  ).meta({
    does: "The mail server for [notices](notices.md): `smtp://…` (port 587, with STARTTLS where the server offers it, and always where there is a password) or `smtps://…` (port 465). Special characters of user and password are URL-encoded. It may be called wherever it is.",
  }),
  MAIL_FROM: setting("", "an address for mail such as weft@example.com", (value) =>
    /^[^\s@<>,;"]+@[\w.-]+$/.test(value) && value.length <= 254 ? value : undefined,
  ).meta({ does: "The sender of mail; needed with `SMTP_URL`." }),
  NOTICE_FAILED_RUNS: whole(5, 1, 2_000).meta({
    does: "Failed runs of an agent in the last hour from which there is a notice, if they are also the share of `NOTICE_FAILED_PERCENT`.",
  }),
  NOTICE_FAILED_PERCENT: whole(20, 1, 100).meta({ does: "The share of the agent's runs in that hour, in percent." }),
  NOTICE_WAITING_MINUTES: whole(30, 1, 100_000).meta({
    does: "How long a run may wait for a person before there is a notice.",
  }),
};

const logs = {
  LOG_LEVEL: setting("info", `one of ${logLevels.join(", ")}`, (value) =>
    logLevels.find((level) => level === value),
  ).meta({ does: "What is logged, as lines of JSON on standard output." }),
};

/** By the variable's name. */
export const settings = {
  ...{ ...address, ...data, ...processes, ...people, ...visitors },
  ...{ ...kept, ...reach, ...models, ...capacity, ...notices, ...logs },
};

/** Settings read elsewhere: prices and traces by `@weft/telemetry`. */
const prices: Record<"MODEL_PRICES", SettingText> = {
  MODEL_PRICES: {
    does: 'What models cost that the shipped list does not know, or knows otherwise, as JSON with US dollars for a million tokens: `{"openai/my-model":{"input":2.5,"output":10}}`.',
  },
};

const traces: Record<(typeof traceVariables)[number], SettingText> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    does: "The OpenTelemetry collector that takes traces of runs, such as `http://localhost:4318`: [observability](observability.md).",
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { does: "The same as a whole address, path included." },
  OTEL_EXPORTER_OTLP_HEADERS: { does: "Headers for the collector: `name=value,…`, values URL-encoded." },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: { does: "Further headers for traces, in the same form." },
  OTEL_SERVICE_NAME: { shown: "weft", does: "How traces name this service." },
  OTEL_RESOURCE_ATTRIBUTES: { does: "Further attributes of it: `name=value,…`." },
  OTEL_TRACES_SAMPLER: {
    shown: "parentbased_always_on",
    does: "Which runs are traced: `always_on`, `always_off` or `traceidratio`, each also with `parentbased_` in front.",
  },
  OTEL_TRACES_SAMPLER_ARG: { shown: "1", does: "The share that `traceidratio` takes." },
  OTEL_SDK_DISABLED: { shown: "false", does: "`true` turns traces off." },
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: {
    shown: "false",
    does: "Whether traces hold what people, models and tools say.",
  },
};

/** The sections of `docs/configuration.md`, in order. A row is a schema with its text, or a text alone. */
export const settingSections = {
  "Address and connections": address,
  "Data and keys": data,
  "Many processes": processes,
  Accounts: people,
  "Visitors and budgets": visitors,
  "How long data is kept": kept,
  "What agents may reach": reach,
  Models: { ...models, ...prices },
  "Capacity and time limits": capacity,
  Notices: notices,
  "Logs and traces": { ...logs, ...traces },
};
