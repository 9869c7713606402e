import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { loadTokenKey, openTokenKey, rotateTokenKey, setTokenKey } from "./tokens.ts";

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

const given = (key = "") => ({ reveal: () => key, isEmpty: key === "" });
const [one, two] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));

test("a key that is given needs no folder", async () => {
  const key = await loadTokenKey("/nowhere/at/all", given(one));
  assert.equal(key().toString("base64"), one);
});

await onTestDatabase(({ name, openTestDatabase }) => {
  const isServer = name === "postgres";

  test("a database that others can use knows the key by a hash, and refuses another one", async (t) => {
    const database = await openTestDatabase(t);
    const open = (key: string | undefined) =>
      openTokenKey(database, { dataDir: "", jwtKey: given(key), isShared: false }).then((opened) => opened());
    assert.equal((await open(one)).toString("base64"), one);
    const { value } = (await database.read
      .selectFrom("settings")
      .select("value")
      .where("name", "=", "tokenKeyId")
      .executeTakeFirst()) ?? { value: undefined };
    if (!isServer) {
      assert.equal(value, undefined);
      assert.equal((await open(two)).toString("base64"), two, "one process has the file for itself");
      return;
    }
    assert.match(value ?? "", /^[0-9a-f]{24}$/);
    await open(one);
    await assert.rejects(open(two), (error: Error) => {
      assert.match(error.message, /^JWT_KEY is not the key .* npm run rotate-keys -- --tokens with it; [^\n]*\.$/);
      assert.ok(!error.message.includes(two ?? ""));
      return true;
    });
    assert.equal(await setTokenKey(database, { dataDir: "", jwtKey: given(two) }), true);
    assert.equal(await setTokenKey(database, { dataDir: "", jwtKey: given(two) }), false);
    await open(two);
    await assert.rejects(open(one), /^StorageError: JWT_KEY is not the key/);
  });

  if (!isServer) return;
  test("a lost file locks nobody out, unless other processes have the key", async (t) => {
    const database = await openTestDatabase(t);
    const [first, second] = [await createFolder(t), await createFolder(t)];
    const open = (dataDir: string, isShared: boolean) =>
      openTokenKey(database, { dataDir, jwtKey: given(), isShared }).then((opened) => opened());
    await Promise.all([open(first, true), open(first, true)]);
    await assert.rejects(
      open(second, true),
      /jwt\.key is not the key .* Copy the file from the data folder of another/,
    );
    await open(second, false);
    await assert.rejects(open(first, true), /jwt\.key is not the key/);
    await rotateTokenKey(first);
    await setTokenKey(database, { dataDir: first, jwtKey: given() });
    await open(first, true);
  });
});
