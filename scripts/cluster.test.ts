import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { findPostgresProblem, openTestStorage } from "../packages/database/src/testing/test-databases.ts";
import { until } from "../packages/database/src/testing/until.ts";
import { hasRedis, startTestRedis } from "../packages/run-host/src/dispatch/testing/test-redis.ts";
import { issueToken } from "../packages/server/src/testing/platform-process.ts";

const command = fileURLToPath(new URL("cluster.ts", import.meta.url));
const problem = await findPostgresProblem();
if (problem !== undefined && process.env.TEST_POSTGRES_REQUIRED === "1") throw new Error(problem);

async function start(t: TestContext, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [command, "--port", "0", ...args], {
    env: { PATH: process.env.PATH ?? "", LOG_LEVEL: "warn", EVENT_API: "false", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that the servers end with it however the test ends.
    detached: true,
  });
  t.after(async () => {
    if (isGroupThere(child)) process.kill(-Number(child.pid), "SIGKILL");
    await ended(child, "SIGKILL");
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => lines.push(line));
  return { child, lines };
}

/** Whether the command, or a server that it started, is still there. */
function isGroupThere({ pid }: ChildProcess): boolean {
  try {
    return process.kill(-Number(pid), 0);
  } catch {
    return false;
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, "exit");
  child.kill(signal);
  return (await exit)[0] as number | null;
}

test("without a database it says what to name", async (t) => {
  const { child, lines } = await start(t, []);
  await once(child, "close");
  assert.equal(child.exitCode, 1);
  assert.match(lines.join("\n"), /^Name the database: --postgres/);
});

test("starts several processes behind one address, and ends all of them", { skip: problem }, async (t) => {
  const { databaseUrl, dataDir } = await openTestStorage("postgres", t);
  const redis = hasRedis() ? ["--redis", (await startTestRedis(t)).url] : [];
  const where = ["--postgres", databaseUrl, "--data", dataDir, ...redis];
  const { child, lines } = await start(t, ["--api", "2", "--workers", "1", ...where]);
  const findUrl = () => lines.map((line) => /^cluster: (http\S+) /.exec(line)?.[1]).find(Boolean);
  const url = await until(findUrl);
  const token = await issueToken(dataDir);
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as { id: string; text: string };
  };
  const flow = {
    weft: 1,
    nodes: [
      { id: "start", type: "start" },
      { id: "end", type: "direct-reply", config: { message: "Hello, {{ question }}." } },
    ],
    edges: [{ id: "e", source: "start", target: "end" }],
  };
  const { id } = await call("/chatflows", { name: "Echo", flowData: JSON.stringify(flow) });
  for (const question of ["one", "two", "three"]) {
    assert.equal((await call(`/prediction/${id}`, { question })).text, `Hello, ${question}.`);
  }
  assert.equal(await ended(child, "SIGTERM"), 0);
  await assert.rejects(fetch(`${url}/livez`));
  assert.equal(isGroupThere(child), false);
});

const isLinux = process.platform === "linux";

test("told to end while it starts, it leaves no process behind", { skip: problem ?? !isLinux }, async (t) => {
  const { databaseUrl, dataDir } = await openTestStorage("postgres", t);
  const where = ["--postgres", databaseUrl, "--data", dataDir];
  const { child } = await start(t, ["--api", "2", "--workers", "1", ...where]);
  await until(() => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim() || undefined);
  assert.equal(await ended(child, "SIGTERM"), 0);
  assert.equal(isGroupThere(child), false);
});
