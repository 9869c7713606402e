import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { loadEncryptionKeys, openEncryptionKeys, setEncryptionKey } from "./encryption-keys.ts";

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

const [one = "", two = "", three = ""] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString("base64"));
const given = (text: string) => ({ reveal: () => text, isEmpty: text === "" });

test("keys that are given need no folder; the last one is current", async () => {
  const keys = (await loadEncryptionKeys("/nowhere/at/all", given(`${one},\n${two}\n`)))();
  assert.deepEqual(
    [...keys.byId.values()].map(String),
    [one, two].map((key) => String(Buffer.from(key, "base64"))),
  );
  assert.equal(keys.currentId, [...keys.byId.keys()].at(-1));
  await assert.rejects(loadEncryptionKeys("", given("hunter2")), (error: Error) => {
    assert.match(error.message, /^ENCRYPTION_KEY holds no base64 key of 32 bytes\.$/);
    return true;
  });
});

await forEachDatabase(({ openTestDatabase }) => {
  test("where others share the database, a key that is not theirs is refused before anything is sealed", async (t) => {
    const database = await openTestDatabase(t);
    const open = (text: string, isShared = true) =>
      openEncryptionKeys(database, { dataDir: "", given: given(text), isShared });
    await Promise.all([open(one), open(one)]);
    await assert.rejects(open(two), (error: Error) => {
      assert.match(error.message, /^ENCRYPTION_KEY does not hold the key .* Set it to the value that the other/);
      assert.ok(!error.message.includes(one) && !error.message.includes(two));
      return true;
    });
    await open(`${one},${two}`);
    await database.write(async (tx) => setEncryptionKey(tx, (await loadEncryptionKeys("", given(three)))()));
    await assert.rejects(open(`${one},${two}`), /ENCRYPTION_KEY does not hold the key/);
    await open(two, false);
    await open(two);
  });
});
