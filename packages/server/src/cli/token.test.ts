import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";
import { callCli, runCli } from "./testing/run-cli.ts";

await onTestDatabase((databases) => {
  if (databases.name !== "sqlite") return;
  test("the printed token opens a server that runs on the same folder, before any account exists", async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), "weft-token-"));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const printed = await Promise.all(Array.from({ length: 3 }, () => runCli("token", { env: { DATA_DIR: dataDir } })));
    for (const { exitCode, stdout, stderr } of printed) {
      assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      assert.deepEqual([exitCode, stderr], [0, ""]);
    }
    const platform = await openTestPlatform(t, databases, { DATA_DIR: dataDir });
    for (const { stdout } of printed) {
      const headers = { authorization: `Bearer ${stdout.trim()}` };
      assert.equal((await platform.send("GET", "/chatflows", undefined, headers)).status, 200);
      assert.equal((await platform.send("GET", "/version", undefined, headers)).status, 200);
    }
    const afterwards = await callCli("token", { env: { DATA_DIR: dataDir } });
    const headers = { authorization: `Bearer ${afterwards.stdout.trim()}` };
    assert.equal((await platform.send("GET", "/apikey", undefined, headers)).status, 200);
  });
});

test("a failure is a sentence on standard error, nothing on standard output", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-token-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  await writeFile(join(dataDir, "jwt.key"), "broken");
  const failures = [
    await runCli("token", { env: { DATA_DIR: dataDir } }),
    await callCli("token", { env: { DATA_DIR: dataDir, JWT_TTL: "never" } }),
  ];
  for (const { exitCode, stdout, stderr } of failures) {
    assert.deepEqual([exitCode, stdout], [1, ""]);
    assert.match(stderr, /jwt\.key holds no key|JWT_TTL must be/);
    assert.doesNotMatch(stderr, / at /);
  }
});
