import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createIdSource } from "@weft/database";
import { systemClock } from "@weft/run-host";
import { createTokens, loadTokenKey, operatorSubject } from "../../../identity/src/accounts/tokens.ts";
import { freePort } from "./free-port.ts";

export type PlatformProcessOptions = {
  env?: Record<string, string>;
  /** Default: a new folder, removed by `remove`. */
  dataDir?: string;
  port?: number;
  /** One that an earlier process of this folder had. Default: a new one. */
  token?: string;
  /** Where the sources of another release are. Default: these. */
  sources?: string | undefined;
};

/** The real server as a process of its own. */
export type PlatformProcess = {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly token: string;
  /** From the start of the process to its first answer. */
  readonly startMs: number;
  readonly pid: number;
  residentMb(): number;
  /** What the process has written so far, standard output and standard error. */
  output(): string;
  hasEnded(): boolean;
  /** A request to the API with the operator's token. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
  /** As `send`; resolves with the JSON of the answer, and rejects when it is not 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Resolves when the process is gone, with its exit status; null when the signal ended it. */
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
  /** Stops the process where it is, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Ends the process and removes its folder. */
  remove(): Promise<void>;
};

export async function startPlatformProcess(options: PlatformProcessOptions = {}): Promise<PlatformProcess> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "weft-process-")));
  const port = options.port ?? (await freePort());
  const env = { ...commonEnv(), PORT: String(port), DATA_DIR: dataDir, ...options.env };
  const startedAt = performance.now();
  const { child, output } = spawnServer(env, options.sources);
  const url = `http://127.0.0.1:${port}`;
  await answering(child, `${url}/api/v1/ping`).catch(async (cause: unknown) => {
    await end(child, "SIGKILL");
    throw new Error(`The server does not answer. It wrote:\n${output()}`, { cause });
  });
  const startMs = performance.now() - startedAt;
  const token = options.token ?? (await issueToken(dataDir, options.env?.JWT_KEY));
  const send = (method: string, path: string, body?: unknown) =>
    globalThis.fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    url,
    port,
    dataDir,
    token,
    startMs,
    pid: child.pid ?? 0,
    send,
    output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024,
    async call(method, path, body) {
      const response = await send(method, path, body);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    kill: (signal) => end(child, signal),
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    async remove() {
      await end(child, "SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A start of the server that is expected to fail: resolves when it has ended. */
export async function runServerToEnd(env: Record<string, string>): Promise<ServerEnd> {
  const { child, stdout, stderr } = spawnServer({ ...commonEnv(), ...env });
  const giveUp = setTimeout(() => child.kill("SIGKILL"), 100_000);
  await once(child, "close");
  clearTimeout(giveUp);
  return { exitCode: child.exitCode, stdout: stdout(), stderr: stderr() };
}

export type ServerEnd = { exitCode: number | null; stdout: string; stderr: string };

function commonEnv(): Record<string, string> {
  // A server of PostgreSQL lets a hundred connections in; several files run at once, with several processes each, and
  // leave each other no time.
  const load = { DB_POOL_SIZE: "6", MAX_EVENT_LOOP_DELAY_MS: "0" };
  return { PATH: process.env.PATH ?? "", LOG_LEVEL: "error", EVENT_API: "false", ...load };
}

/** What `npm start` runs: docs/decisions/0090-start-and-memory.md. */
const flags = ["--max-semi-space-size=8", "--expose-gc"];
const ownSources = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Runs `scripts/start.mjs`, or what that would run in the end: the bundle that the test runner found in `TEST_SERVER`.
 * Looking for it again costs a tenth of a start.
 */
function spawnServer(env: Record<string, string>, sources?: string) {
  const script = join(sources ?? ownSources, "scripts/start.mjs");
  const server = (sources === undefined ? process.env.TEST_SERVER : undefined) ?? script;
  const child = spawn(process.execPath, [...flags, server], {
    env: server === script ? env : { MALLOC_ARENA_MAX: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  return { child, stdout, stderr, output: () => `${stdout()}${stderr()}` };
}

function collect(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** As `npm run token` makes it, without a process of its own. */
export async function issueToken(dataDir: string, given = ""): Promise<string> {
  const key = await loadTokenKey(dataDir, { reveal: () => given, isEmpty: given === "" });
  const ids = createIdSource(systemClock.now);
  return (await createTokens({ key, ttlMs: 3_600_000, clock: systemClock, ids }).issue(operatorSubject)).token;
}

async function answering(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt += 1) {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`The server ended with ${end} instead of answering.`);
    try {
      if ((await globalThis.fetch(url)).ok) return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  throw new Error(`${url} does not answer.`);
}

async function end(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await once(child, "exit");
  }
  return child.exitCode;
}
