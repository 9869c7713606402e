import type { TestContext } from "node:test";
import { type Client, createClient } from "@weft/client";
import { createIdSource } from "@weft/database";
import { createLogger } from "@weft/http/logger";
import { systemClock } from "@weft/run-host";
import type { TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { createTokens, loadTokenKey, operatorSubject } from "../../../identity/src/accounts/tokens.ts";
import { readConfig } from "../config.ts";
import { openPlatform, type Platform, type PlatformDeps } from "../platform.ts";

export type TestPlatform = Platform & {
  token: string;
  /** Another token of the operator. */
  issueToken(): Promise<string>;
  /** The typed client with the operator's token. */
  client: Client;
  /** A request to `/api/v1<path>` with the operator's token, unless the headers say otherwise. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** As `send`; the JSON of the answer. Rejects when it is not 2xx. */
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Waits for something that happens beside requests. */
  until<T>(probe: () => Promise<T | undefined>): Promise<T>;
};

export type TestPlatformOptions = Pick<PlatformDeps, "wrapDatabase"> &
  Partial<Pick<PlatformDeps, "clock">> & { writeLog?(line: string): void };

/** The platform without a socket, over a database of its own, closed after the test. */
export async function openTestPlatform(
  t: Pick<TestContext, "after">,
  databases: Pick<TestDatabases, "createTestStorage">,
  env: Record<string, string> = {},
  { writeLog, clock = systemClock, ...more }: TestPlatformOptions = {},
): Promise<TestPlatform> {
  // Hooks run in the order of their registration: the platform closes before its database is removed.
  let opened: Platform | undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    closing ??= opened?.close();
    await closing;
  };
  t.after(close);
  const { databaseUrl, dataDir } = await databases.createTestStorage(
    t as Parameters<TestDatabases["createTestStorage"]>[0],
  );
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    EVENT_API: "false",
    EMBEDDING_RETRY_MS: "20",
    // Tests share their process and the machine.
    MAX_EVENT_LOOP_DELAY_MS: "0",
    ...env,
  });
  const ids = createIdSource(clock.now);
  const level = writeLog === undefined ? "silent" : "info";
  const logger = createLogger({ level, write: writeLog ?? (() => undefined), now: clock.now });
  const platform = await openPlatform({ config, clock, ids, logger, ...more });
  opened = platform;
  const tokens = createTokens({ key: await loadTokenKey(dataDir, config.jwtKey), ttlMs: config.jwtTtlMs, clock, ids });
  const issueToken = async () => (await tokens.issue(operatorSubject)).token;
  const token = await issueToken();
  const send: TestPlatform["send"] = (method, path, body, headers = {}) =>
    platform.fetch(
      new Request(`http://platform/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  return {
    ...platform,
    close,
    token,
    issueToken,
    client: createClient({
      baseUrl: "http://platform",
      token,
      fetch: (url, init) => platform.fetch(new Request(url, init)),
    }),
    send,
    async json(method, path, body) {
      const response = await send(method, path, body);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    async until(probe) {
      for (let attempt = 0; attempt < 3_000; attempt += 1) {
        const value = await probe();
        if (value !== undefined) return value;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error("It did not happen in thirty seconds.");
    },
  };
}

/** A platform that can be closed and opened again over the same data, with these settings each time. */
export async function openRestartable(
  t: Pick<TestContext, "after">,
  databases: Pick<TestDatabases, "createTestStorage">,
  env: Record<string, string> = {},
) {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0)) await closer();
  };
  t.after(close);
  const storage = await databases.createTestStorage(t as Parameters<TestDatabases["createTestStorage"]>[0]);
  const here = { createTestStorage: async () => storage };
  const after = (closer: unknown) => void closers.push(closer as () => Promise<void>);
  return {
    storage,
    close,
    open: (more: Record<string, string> = {}) => openTestPlatform({ after }, here, { ...env, ...more }),
  };
}

/** Creates an agent whose credentials may go where it says; resolves with its id. */
export async function agentWith(platform: TestPlatform, flowData: string, more: object = {}): Promise<string> {
  const path = "/chatflows?confirmDestinations=true";
  const { id } = await platform.json<{ id: string }>("POST", path, { name: "Agent", flowData, ...more });
  return id;
}

/** A start node and one more. */
export function flowOf(type: string, label: string, config: object = {}): string {
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", label: "Start" },
      { id: "node_0", type, label, config },
    ],
    edges: [{ id: "e", source: "start_0", target: "node_0" }],
  });
}

export const llmFlow = (config: object = {}): string => flowOf("llm", "LLM", config);

/** An agent with one request integration, `get_thing`, that takes an id. */
export function toolFlow(url: string): string {
  const parameters = { id: { type: "string", in: "path", required: true, description: "Id of the thing" } };
  const config = { url, name: "get_thing", description: "Gets a thing", parameters };
  return flowOf("agent", "Agent", { tools: [{ type: "request-get", config }] });
}
