import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createReadiness, openDatabase } from "@weft/database";
import { WeftError } from "@weft/schema";
import { healthRoutes } from "./health.routes.ts";
import { createLogger } from "./logger.ts";
import { createTestApp } from "./testing/test-app.ts";

const logger = createLogger({ level: "silent", write: () => undefined, now: () => 0 });
const nobody = { headers: { authorization: "" } };

test("ping is plain text and open, version is not", async () => {
  const { send } = createTestApp(healthRoutes("1.2.3", async () => {}, logger));
  const ping = await send("GET", "/api/v1/ping", nobody);
  assert.deepEqual([ping.status, await ping.text()], [200, "pong"]);
  assert.match(ping.headers.get("content-type") ?? "", /^text\/plain/);
  assert.deepEqual(await (await send("GET", "/livez", nobody)).json(), { status: "ok" });
  assert.equal((await send("GET", "/api/v1/version", nobody)).status, 401);
  assert.deepEqual(await (await send("GET", "/api/v1/version")).json(), { version: "1.2.3" });
});

test("a server that stops says so itself", async () => {
  const assertReady = () => Promise.reject(new WeftError("shutting-down"));
  const { send } = createTestApp(healthRoutes("1", assertReady, logger));
  const body = (await (await send("GET", "/readyz", nobody)).json()) as Record<string, unknown>;
  assert.deepEqual([body.statusCode, body.code], [503, "shutting-down"]);
});

test("the server is ready while its database takes writes", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-health-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const database = await openDatabase({ databaseUrl: "", dataDir });
  let now = 0;
  const assertReady = createReadiness({ database, now: () => now });
  const { send } = createTestApp(healthRoutes("1", assertReady, logger));
  assert.equal((await send("GET", "/readyz", nobody)).status, 200);
  await database.close();
  now = 1_000;
  const response = await send("GET", "/readyz", nobody);
  const body = (await response.json()) as Record<string, unknown>;
  assert.deepEqual([response.status, body.code, body.retryable], [503, "not-ready", true]);
  assert.equal((await send("GET", "/livez", nobody)).status, 200);
});
