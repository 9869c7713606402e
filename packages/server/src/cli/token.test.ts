import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

const run = promisify(execFile);
const command = [fileURLToPath(new URL("main.ts", import.meta.url)), "token"];

await forEachDatabase((databases) => {
  if (databases.name !== "sqlite") return;
  test("the printed token opens a server that runs on the same folder, before any account exists", async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), "weft-token-"));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const printed = await Promise.all(
      Array.from({ length: 3 }, () => run(process.execPath, command, { env: { DATA_DIR: dataDir } })),
    );
    for (const { stdout, stderr } of printed) {
      assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      assert.equal(stderr, "");
    }
    const platform = await openTestPlatform(t, databases, { DATA_DIR: dataDir });
    for (const { stdout } of printed) {
      const headers = { authorization: `Bearer ${stdout.trim()}` };
      assert.equal((await platform.send("GET", "/chatflows", undefined, headers)).status, 200);
      assert.equal((await platform.send("GET", "/version", undefined, headers)).status, 200);
    }
    const afterwards = await run(process.execPath, command, { env: { DATA_DIR: dataDir } });
    const headers = { authorization: `Bearer ${afterwards.stdout.trim()}` };
    assert.equal((await platform.send("GET", "/apikey", undefined, headers)).status, 200);
  });
});

test("a failure is a sentence on standard error, nothing on standard output", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-token-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  await writeFile(join(dataDir, "jwt.key"), "broken");
  for (const env of [{ DATA_DIR: dataDir }, { DATA_DIR: dataDir, JWT_TTL: "never" }]) {
    await assert.rejects(run(process.execPath, command, { env }), (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /jwt\.key holds no key|JWT_TTL must be/);
      assert.doesNotMatch(stderr, / at /);
      return true;
    });
  }
});
