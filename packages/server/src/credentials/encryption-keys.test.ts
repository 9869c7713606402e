import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { loadEncryptionKeys } from "./encryption-keys.ts";

async function dataDirOf(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "weft-keys-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return join(directory, "data");
}

test("the first start creates one key, readable by its owner only, and later starts use it", async (t) => {
  const dataDir = await dataDirOf(t);
  const first = (await loadEncryptionKeys(dataDir))();
  const second = (await loadEncryptionKeys(dataDir))();
  assert.equal(first.currentId, second.currentId);
  assert.deepEqual(first.byId, second.byId);
  assert.equal((await stat(join(dataDir, "encryption.key"))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dataDir), ["encryption.key"]);
});

test("processes that start at once agree on one key", async (t) => {
  const dataDir = await dataDirOf(t);
  const loaded = await Promise.all(Array.from({ length: 20 }, () => loadEncryptionKeys(dataDir)));
  assert.equal(new Set(loaded.map((keys) => keys().currentId)).size, 1);
  assert.deepEqual(await readdir(dataDir), ["encryption.key"]);
});

test("a key that is appended becomes current, and the old one still opens", async (t) => {
  const dataDir = await dataDirOf(t);
  const path = join(dataDir, "encryption.key");
  const keys = await loadEncryptionKeys(dataDir);
  const old = keys();
  await writeFile(path, `${await readFile(path, "utf8")}${randomBytes(32).toString("base64")}\n`);
  const rotated = keys();
  assert.notEqual(rotated.currentId, old.currentId);
  assert.deepEqual([...rotated.byId.keys()], [old.currentId, rotated.currentId]);
});

for (const [what, content] of [
  ["empty", ""],
  ["no base64", "hunter2\n"],
  ["a short key", `${randomBytes(16).toString("base64")}\n`],
] as const) {
  test(`a key file with ${what} is refused with its path, never its content`, async (t) => {
    const dataDir = await dataDirOf(t);
    await loadEncryptionKeys(dataDir);
    await writeFile(join(dataDir, "encryption.key"), content);
    await assert.rejects(loadEncryptionKeys(dataDir), (error: Error) => {
      assert.match(error.message, /encryption\.key holds .*backup/);
      assert.ok(content.trim() === "" || !error.message.includes(content.trim()));
      return true;
    });
  });
}
