import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { ConfigError, readConfig } from "./config.ts";

test("without an environment the defaults hold; empty variables count as unset", () => {
  const { databaseUrl, encryptionKey, jwtKey, accounts, mcpServers, ...plain } = readConfig({
    PORT: "",
    ADMIN_EMAIL: " ",
  });
  assert.deepEqual(plain, {
    port: 3_000,
    host: "127.0.0.1",
    role: "all",
    dataDir: "./data",
    poolSize: 11,
    redis: undefined,
    admin: undefined,
    jwtTtlMs: 43_200_000,
    bodyLimitBytes: 52_428_800,
    budgetCeilings: {},
    maxConnections: 10_000,
    maxConnectionsPerAddress: 1_536,
    publicUrl: "",
    allowedHosts: [],
    hstsSeconds: 0,
    identityProvider: undefined,
    mail: undefined,
    notices: { failedRuns: 5, failedPercent: 20, waitingMs: 1_800_000 },
    trustedProxyHops: 0,
    allowPublicFlows: undefined,
    publicRateLimit: 60,
    visitorRetention: { visitorMs: 0, leadMs: 0 },
    visitorFiles: {
      perChat: { bytes: 104_857_600, files: 50 },
      perAgent: { bytes: 1_073_741_824, files: 5_000 },
      inTotal: { bytes: 4_294_967_296, files: 20_000 },
    },
    unsentFilesMs: 86_400_000,
    corsOrigins: [],
    egressAllow: [],
    sqlFilesDir: "",
    vectorMemoryBytes: undefined,
    eventApiPort: 5_566,
    executionRetentionMs: 0,
    payloadRetentionMs: 2_592_000_000,
    auditRetentionMs: 34_560_000_000,
    logLevel: "info",
    defaultModel: "",
    modelFolders: { embedding: "", reranker: "" },
    embeddingRetryMs: 1_000,
    maxAnonymousRuns: 1_024,
    maxConcurrentRuns: 2_048,
    maxLoopDelayMs: 200,
    maxStreams: 4_096,
    maxQueuedRuns: 1_000,
    runLeaseMs: 6_000,
    runTimeoutMs: 900_000,
    modelAnswerBytes: 1_048_576,
    flowDraftTokens: 400_000,
    modelLimits: { firstTokenMs: 120_000, betweenTokensMs: 60_000, answerMs: 600_000 },
    maxFunctionTimeoutMs: 300_000,
    minScheduleIntervalMs: 60_000,
    variables: { eventApi: "http://127.0.0.1:5566" },
    runtimeVariables: new Map(),
    traces: undefined,
    modelPrices: {},
    isRunByNpm: false,
  });
  const keys = Object.values(accounts).map(({ apiKey }) => apiKey);
  assert.ok([databaseUrl, encryptionKey, jwtKey, mcpServers, ...keys].every(({ isEmpty }) => isEmpty));
  assert.ok(Object.values(accounts).every(({ baseUrl }) => baseUrl === ""));
});

test("every variable is read", () => {
  const config = readConfig({
    PORT: "0",
    BODY_LIMIT: "2MB",
    VECTOR_MEMORY: "3gb",
    FLOWISE_FILE_SIZE_LIMIT: "9mb",
    JWT_TTL: "30m",
    ALLOW_PUBLIC_FLOWS: "TRUE",
    EGRESS_ALLOW: "localhost:8080, [::1]:443,10.0.0.1:80",
    EVENT_API: "0",
    ADMIN_EMAIL: "Admin@Example.org",
    ADMIN_PASSWORD: " with spaces ",
    DATABASE_URL: "postgresql://localhost/weft",
    OPENAI_BASE_URL: "http://localhost:11434/v1",
    LOG_LEVEL: "debug",
    MIN_SCHEDULE_INTERVAL_SECONDS: "5",
    RUN_LEASE_MS: "300",
  });
  assert.equal(config.port, 0);
  assert.equal(config.bodyLimitBytes, 2_097_152);
  assert.equal(config.vectorMemoryBytes, 3 * 1_024 ** 3);
  assert.equal(config.jwtTtlMs, 1_800_000);
  assert.equal(config.allowPublicFlows, true);
  assert.deepEqual(config.egressAllow, ["localhost:8080", "[::1]:443", "10.0.0.1:80"]);
  assert.equal(config.eventApiPort, undefined);
  assert.deepEqual(config.variables, {});
  assert.deepEqual(readConfig({ EVENT_API_PORT: "6000" }).variables, { eventApi: "http://127.0.0.1:6000" });
  assert.equal(config.minScheduleIntervalMs, 5_000);
  assert.equal(config.runLeaseMs, 300);
  assert.throws(() => readConfig({ RUN_LEASE_MS: "100" }), /RUN_LEASE_MS must be a whole number from 200 to 60000/);
  assert.deepEqual([config.admin?.email, config.admin?.password.reveal()], ["admin@example.org", " with spaces "]);
  assert.equal(config.databaseUrl.reveal(), "postgresql://localhost/weft");
  assert.equal(readConfig({ FLOWISE_FILE_SIZE_LIMIT: "1024" }).bodyLimitBytes, 1_024);
  assert.equal(config.accounts.openai?.baseUrl, "http://localhost:11434/v1");
  const keyOf = (account: string, env: Record<string, string>) => readConfig(env).accounts[account]?.apiKey.reveal();
  assert.equal(keyOf("anthropic", { ANTHROPIC_API_KEY: "sk-ant" }), "sk-ant");
  assert.equal(keyOf("google", { GOOGLE_API_KEY: "one", GEMINI_API_KEY: "two" }), "one");
  assert.equal(keyOf("google", { GEMINI_API_KEY: "two" }), "two");
  assert.equal(readConfig({ OLLAMA_HOST: "gpu.local" }).accounts.ollama?.baseUrl, "http://gpu.local:11434");
});

test("a role that leaves work to other processes needs a database that they share", () => {
  const postgres = { DATABASE_URL: "postgres://localhost/weft" };
  const config = readConfig({ ROLE: "worker", WORKER_CONCURRENCY: "8", ...postgres });
  assert.deepEqual([config.role, config.maxConcurrentRuns, config.maxAnonymousRuns], ["worker", 8, 4]);
  assert.equal(readConfig({ ROLE: "api", ...postgres }).role, "api");
  assert.throws(
    () => readConfig({ ROLE: "api" }),
    /^ConfigError: ROLE=api connects processes on one PostgreSQL database/,
  );
  const redis = { REDIS_URL: "redis://localhost", REDIS_PREFIX: "a_1" };
  const { url, prefix } = readConfig({ ...redis, ...postgres }).redis ?? assert.fail();
  assert.deepEqual([url.reveal(), prefix], ["redis://localhost", "a_1"]);
  assert.throws(() => readConfig(redis), /^ConfigError: REDIS_URL connects processes/);
  assert.throws(() => readConfig({ REDIS_URL: "localhost:6379", ...postgres }), /REDIS_URL must be an address/);
  assert.throws(() => readConfig({ ROLE: "boss", ...postgres }), /ROLE must be one of all, api, worker/);
});

test("keys are base64 texts of 32 bytes, which no message repeats and no flow reads", () => {
  const [one, two] = [Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 2).toString("base64")];
  const { encryptionKey, jwtKey } = readConfig({ ENCRYPTION_KEY: `${one}, ${two}\n`, JWT_KEY: ` ${one}\n` });
  assert.deepEqual([encryptionKey.reveal(), jwtKey.reveal()], [`${one}, ${two}`, one]);
  assert.doesNotMatch(`${inspect(encryptionKey)}${jwtKey}${JSON.stringify({ jwtKey })}`, /AQEB/);
  const wrong = [
    ["ENCRYPTION_KEY", "hunter2"],
    ["ENCRYPTION_KEY", `${one},hunter2`],
    ["ENCRYPTION_KEY", Buffer.alloc(31).toString("base64")],
    ["ENCRYPTION_KEY", ",,,"],
    ["JWT_KEY", "hunter2"],
    ["JWT_KEY", `${one},${two}`],
    ["JWT_KEY", `${one.slice(0, -1)}`],
  ] as const;
  for (const [name, value] of wrong) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => error.message.startsWith(`${name} must be one base64 key`) && !error.message.includes(value),
      value,
    );
  }
  for (const name of ["ENCRYPTION_KEY", "JWT_KEY"]) {
    assert.throws(() => readConfig({ RUNTIME_VARIABLES: `CITY,${name}` }), /without the server's keys/);
  }
});

test("what connections and names are limited to", () => {
  assert.equal(readConfig({ TRUST_PROXY: "1" }).maxConnectionsPerAddress, 0, "a proxy's clients share its address");
  assert.equal(readConfig({ TRUST_PROXY: "1", MAX_CONNECTIONS_PER_ADDRESS: "9000" }).maxConnectionsPerAddress, 9_000);
  assert.equal(readConfig({ MAX_CONNECTIONS_PER_ADDRESS: "0" }).maxConnectionsPerAddress, 0);
  assert.deepEqual(readConfig({ ALLOWED_HOSTS: "Weft.example.com, [::1]:3000" }).allowedHosts, [
    "weft.example.com",
    "[::1]:3000",
  ]);
  assert.throws(
    () => readConfig({ ALLOWED_HOSTS: "https://weft.example.com" }),
    /ALLOWED_HOSTS must be a list of hosts/,
  );
  assert.deepEqual(
    [readConfig({ HSTS: "true" }).hstsSeconds, readConfig({ HSTS: "30d" }).hstsSeconds],
    [31_536_000, 2_592_000],
  );
});

test("what visitors may store is a size and a number", () => {
  const { visitorFiles, unsentFilesMs } = readConfig({ VISITOR_FILES_CHAT: "5mb / 3", UNSENT_FILES_RETENTION: "2h" });
  assert.deepEqual([visitorFiles.perChat, unsentFilesMs], [{ bytes: 5_242_880, files: 3 }, 7_200_000]);
  for (const wrong of ["5mb", "5mb/", "/3", "x/3", "5mb/3/1"]) {
    assert.throws(() => readConfig({ VISITOR_FILES_TOTAL: wrong }), /VISITOR_FILES_TOTAL must be a size and a number/);
  }
});

test("runs are kept for a duration, or for ever", () => {
  const keptMs = (text: string) => readConfig({ EXECUTION_RETENTION: text }).executionRetentionMs;
  assert.deepEqual([keptMs("30d"), keptMs("12h"), keptMs("off"), keptMs("OFF")], [2_592_000_000, 43_200_000, 0, 0]);
  for (const wrong of ["0d", "30", "never"]) assert.throws(() => keptMs(wrong), /a duration such as 30d, or off/);
});

test("ceilings of budgets are numbers under known names", () => {
  const BUDGET_CEILINGS = '{"run":{"tokens":5},"visitors":{"chat":{"dollars":0.5}}}';
  assert.deepEqual(readConfig({ BUDGET_CEILINGS }).budgetCeilings, {
    run: { tokens: 5 },
    visitors: { chat: { dollars: 0.5 } },
  });
  for (const wrong of ["5", "{", '{"run":{"token":5}}', '{"run":{"tokens":"5"}}', '{"agent":{"runs":-1}}']) {
    assert.throws(() => readConfig({ BUDGET_CEILINGS: wrong }), /BUDGET_CEILINGS must be JSON such as/);
  }
});

test("of the environment flows may read what is listed and set", () => {
  const env = { RUNTIME_VARIABLES: "CITY, UNSET,EMPTY", CITY: "Ulm", EMPTY: "", OTHER: "x" };
  const { runtimeVariables } = readConfig(env);
  assert.deepEqual(
    [...runtimeVariables].map(([name, secret]) => [name, secret.reveal()]),
    [
      ["CITY", "Ulm"],
      ["EMPTY", ""],
    ],
  );
  assert.throws(() => readConfig({ RUNTIME_VARIABLES: "A B" }), /RUNTIME_VARIABLES must be names of variables/);
});

test("trusted proxies are counted; true trusts any number of them", () => {
  for (const [text, hops] of [
    ["0", 0],
    ["1", 1],
    ["12", 12],
    ["false", 0],
    ["True", Number.POSITIVE_INFINITY],
  ] as const) {
    assert.equal(readConfig({ TRUST_PROXY: text }).trustedProxyHops, hops);
  }
  for (const text of ["-1", "1.5", "100", "10.0.0.1"]) {
    assert.throws(() => readConfig({ TRUST_PROXY: text }), /^ConfigError: TRUST_PROXY must be true, false/);
  }
});

test("origins are a list, without paths, or all", () => {
  const origins = (text: string) => readConfig({ CORS_ORIGINS: text }).corsOrigins;
  assert.deepEqual(origins("https://Shop.example/, http://localhost:8080"), [
    "https://shop.example",
    "http://localhost:8080",
  ]);
  assert.deepEqual(origins("*"), ["*"]);
  for (const text of ["shop.example", "https://shop.example/chat", "https://*.shop.example:x", "null", "a,,b"]) {
    assert.throws(() => readConfig({ CORS_ORIGINS: text }), /^ConfigError: CORS_ORIGINS must be \* or a list/, text);
  }
});

test("flows open no SQLite file of the platform's own folder", () => {
  const open = (SQL_FILES_DIR: string, DATA_DIR = "") => readConfig({ SQL_FILES_DIR, DATA_DIR }).sqlFilesDir;
  assert.equal(open("/srv/files", "/srv/data"), "/srv/files");
  assert.equal(open("./data-of-others"), "./data-of-others");
  for (const [files, data] of [["./data"], ["."], ["data/sub"], ["/srv", "/srv/data"], ["/srv/data/", "/srv/data"]]) {
    assert.throws(() => open(files ?? "", data), /SQL_FILES_DIR must be apart from DATA_DIR/, files);
  }
});

test("all mistakes come at once, one sentence each, without the values", () => {
  const env = {
    PORT: "70000",
    JWT_TTL: "12",
    BODY_LIMIT: "0",
    VECTOR_MEMORY: "much",
    ALLOW_PUBLIC_FLOWS: "perhaps",
    EGRESS_ALLOW: "http://a:1",
    ADMIN_EMAIL: "nobody",
    ADMIN_PASSWORD: "short",
    DATABASE_URL: "mysql://user:hunter2@host",
    OPENAI_BASE_URL: "localhost",
    OLLAMA_HOST: "http://",
    LOG_LEVEL: "loud",
    MAX_CONCURRENT_RUNS: "1.5",
  };
  assert.throws(
    () => readConfig(env),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      const lines = error.message.split("\n");
      const named = lines.map((line) => line.split(" ", 1)[0]);
      assert.deepEqual(named.toSorted(), Object.keys(env).toSorted());
      assert.ok(lines.every((line) => line.endsWith(".")));
      assert.doesNotMatch(error.message, /hunter2|short/);
      return true;
    },
  );
  assert.throws(() => readConfig({ MAIL_FROM: "a@b.org" }), /SMTP_URL and MAIL_FROM must be set together/);
  assert.throws(() => readConfig({ ADMIN_EMAIL: "a@b.org" }), /ADMIN_EMAIL and ADMIN_PASSWORD must be set together/);
});

test("a secret shows itself to nobody by accident", () => {
  const openAiApiKey = readConfig({ OPENAI_API_KEY: "sk-hidden" }).accounts.openai?.apiKey;
  assert.ok(openAiApiKey);
  const shown = [String(openAiApiKey), JSON.stringify({ openAiApiKey }), inspect(openAiApiKey), `${openAiApiKey}`];
  for (const text of shown) assert.doesNotMatch(text, /sk-hidden/);
  assert.equal(openAiApiKey.reveal(), "sk-hidden");
});

test("a mail server is read from its address, and its password is hidden", () => {
  const from = "weft@example.com";
  const of = (SMTP_URL: string) => readConfig({ SMTP_URL, MAIL_FROM: from }).mail;
  const { password, ...mail } = of("smtps://ops%40example.com:p%40ss@mail.example.com") ?? {};
  const user = "ops@example.com";
  assert.deepEqual(mail, { host: "mail.example.com", port: 465, isSecure: true, user, from });
  assert.deepEqual([password?.reveal(), JSON.stringify(password)], ["p@ss", '"[secret]"']);
  const { port, isSecure } = of("smtp://mail.example.com") ?? {};
  assert.deepEqual([port, isSecure], [587, false]);
  for (const wrong of [
    "mail.example.com",
    "https://mail.example.com",
    "smtp://a/path",
    "smtp://a?b",
    "smtp://%E0%A4%A@a",
  ]) {
    assert.throws(() => of(wrong), /SMTP_URL must be an address such as/, wrong);
  }
  for (const wrong of ["nobody", "a@b, c@d", "a@b\r\nBcc: c@d", `${"a".repeat(250)}@b.org`]) {
    assert.throws(() => readConfig({ SMTP_URL: "smtp://a", MAIL_FROM: wrong }), /MAIL_FROM must be an address/, wrong);
  }
});
