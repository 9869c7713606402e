import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { loadTokenKey, rotateTokenKey } from "./tokens.ts";

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "weft-key-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("the key is made once, for its owner only, and everybody gets the same", async (t) => {
  const dataDir = join(await createFolder(t), "deep", "data");
  const load = async () => (await loadTokenKey(dataDir))();
  const keys = await Promise.all(Array.from({ length: 10 }, load));
  assert.equal(new Set(keys.map((key) => key.toString("hex"))).size, 1);
  assert.equal(keys[0]?.length, 32);
  assert.deepEqual(await readdir(dataDir), ["jwt.key"]);
  assert.equal((await stat(join(dataDir, "jwt.key"))).mode & 0o777, 0o600);
  assert.deepEqual(await load(), keys[0]);
});

test("who loaded the key before a rotation has the new one at once", async (t) => {
  const dataDir = await createFolder(t);
  const key = await loadTokenKey(dataDir);
  const before = key();
  // What a rotation that was broken off leaves behind is in nobody's way.
  await writeFile(join(dataDir, "jwt.key.new"), "half a k");
  await rotateTokenKey(dataDir);
  assert.equal(key().length, 32);
  assert.notDeepEqual(key(), before);
  assert.deepEqual(key(), (await loadTokenKey(dataDir))());
  assert.deepEqual(await readdir(dataDir), ["jwt.key"]);
  assert.equal((await stat(join(dataDir, "jwt.key"))).mode & 0o777, 0o600);
});

test("a file that is damaged or removed later leaves the key that was loaded in use", async (t) => {
  const dataDir = await createFolder(t);
  const key = await loadTokenKey(dataDir);
  const before = key();
  await writeFile(join(dataDir, "jwt.key"), "damaged");
  assert.deepEqual(key(), before);
  await rm(join(dataDir, "jwt.key"));
  assert.deepEqual(key(), before);
});

test("a file that holds no key is refused with a sentence, and left alone", async (t) => {
  const dataDir = await createFolder(t);
  await writeFile(join(dataDir, "jwt.key"), "short");
  await assert.rejects(loadTokenKey(dataDir), /jwt\.key holds no key of 32 bytes/);
  assert.equal(await readFile(join(dataDir, "jwt.key"), "utf8"), "short");
});
