import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startPlatformProcess } from "../testing/platform-process.ts";

async function folder(t: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "weft-rights-"));
  t.after(() => rm(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

const rightsOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

async function run(t: TestContext, dataDir: string): Promise<string> {
  const server = await startPlatformProcess({ dataDir, env: { LOG_LEVEL: "warn" } });
  t.after(() => server.remove());
  await server.call("POST", "/variables", { name: "city", value: "Ulm" });
  const files = await readdir(dataDir);
  assert.ok(["weft.db", "weft.db-wal", "weft.db-shm", "lock.db", "jwt.key"].every((name) => files.includes(name)));
  for (const name of files) assert.equal(await rightsOf(join(dataDir, name)), "600", name);
  await server.kill("SIGTERM");
  return server.output();
}

test("a data folder that the server makes is its owner's alone, and so is every file in it", async (t) => {
  const dataDir = await folder(t);
  assert.doesNotMatch(await run(t, dataDir), /data-folder-open-to-others/);
  assert.equal(await rightsOf(dataDir), "700");
});

test("in a folder that others can read, every file is closed to them, old ones too, and the log says so", async (t) => {
  const dataDir = await folder(t);
  await mkdir(dataDir);
  await chmod(dataDir, 0o755);
  await writeFile(join(dataDir, "lock.db"), "");
  await chmod(join(dataDir, "lock.db"), 0o644);
  assert.match(await run(t, dataDir), /"data-folder-open-to-others".*chmod 700/);
  assert.equal(await rightsOf(dataDir), "755", "what the operator set stays");
  await chmod(join(dataDir, "weft.db"), 0o644);
  await run(t, dataDir);
});
