import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Database } from "@weft/database";
import { createSecretVault } from "@weft/egress";
import { redactedCredentialValue, WeftError } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createCredentialService } from "./credential.service.ts";
import { loadEncryptionKeys } from "./encryption-keys.ts";
import { createSecretBox } from "./secret-box.ts";

const apiKey = "sk-plaintext-that-must-never-show";

async function keyDirOf(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "weft-credentials-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** The service as a start of the server makes it, with the keys of `keyDir`. */
async function start(database: Database, keyDir: string) {
  return createCredentialService({
    database,
    clock: { now: () => Date.parse("2026-01-01T12:00:00.000Z") },
    ids: { uuid: () => randomUUID() },
    secretBox: createSecretBox(await loadEncryptionKeys(keyDir)),
    vault: createSecretVault(),
    operator: { accounts: {} },
  });
}

const openAi = { name: "mine", credentialName: "openAIApi", plainDataObj: { openAIApiKey: apiKey } };

function isUnreadable(error: unknown): boolean {
  assert.ok(error instanceof WeftError);
  assert.equal(error.code, "credential-unreadable");
  assert.match(error.message, /Enter them again\./);
  return true;
}

await forEachDatabase(({ openTestDatabase, createTestStorage }) => {
  test("a secret is read back after a restart, by id", async (t) => {
    const storage = await createTestStorage(t);
    const keyDir = await keyDirOf(t);
    const database = await storage.open();
    const { id } = await (await start(database, keyDir)).create(openAi);
    await database.close();
    const restarted = await start(await storage.open(), keyDir);
    assert.deepEqual(await restarted.readSecret(id), { openAIApiKey: apiKey });
    assert.deepEqual((await restarted.get(id)).fields, ["openAIApiKey"]);
  });

  test("the database holds no value and no field name in the clear", async (t) => {
    const storage = await createTestStorage(t);
    const database = await storage.open();
    await (await start(database, await keyDirOf(t))).create(openAi);
    const rows = JSON.stringify(await database.read.selectFrom("credentials").selectAll().execute());
    const files = storage.databaseUrl === "" ? await readdir(storage.dataDir) : [];
    const contents = await Promise.all(files.map((file) => readFile(join(storage.dataDir, file), "latin1")));
    for (const content of [rows, ...contents]) {
      assert.ok(!content.includes(apiKey) && !content.includes("openAIApiKey"));
    }
  });

  test("an update merges: given values replace, empty and redacted ones stay, null removes", async (t) => {
    const service = await start(await openTestDatabase(t), await keyDirOf(t));
    const { id, updatedDate } = await service.create({
      ...openAi,
      plainDataObj: { kept: "1", redacted: "2", replaced: "3", removed: "4", untouched: "5", flag: true, count: 7 },
    });
    const updated = await service.update(id, {
      plainDataObj: { kept: "", redacted: redactedCredentialValue, replaced: "new", removed: null, added: "6" },
    });
    assert.deepEqual(await service.readSecret(id), {
      kept: "1",
      redacted: "2",
      replaced: "new",
      untouched: "5",
      flag: "true",
      count: "7",
      added: "6",
    });
    assert.ok(updated.updatedDate > updatedDate);
    assert.equal((await service.update(id, { name: "renamed" })).name, "renamed");
    assert.equal((await service.readSecret(id)).replaced, "new");
  });

  test("concurrent merges lose nothing", async (t) => {
    const service = await start(await openTestDatabase(t), await keyDirOf(t));
    const { id } = await service.create(openAi);
    const names = Array.from({ length: 12 }, (_, index) => `field${index}`);
    await Promise.all(names.map((name) => service.update(id, { plainDataObj: { [name]: "x" } })));
    assert.deepEqual(Object.keys(await service.readSecret(id)).sort(), [...names, "openAIApiKey"].sort());
  });

  test("a changed or moved ciphertext is refused, shown as unreadable, and can be entered again", async (t) => {
    const database = await openTestDatabase(t);
    const service = await start(database, await keyDirOf(t));
    const [mine, other] = [await service.create(openAi), await service.create(openAi)];
    const { encryptedData } = await database.read
      .selectFrom("credentials")
      .select("encryptedData")
      .where("id", "=", other.id)
      .executeTakeFirstOrThrow();
    await database.write((tx) =>
      tx.updateTable("credentials").set({ encryptedData }).where("id", "=", mine.id).execute(),
    );
    await assert.rejects(service.readSecret(mine.id), isUnreadable);
    const shown = await service.get(mine.id);
    assert.deepEqual([shown.readable, shown.fields], [false, []]);
    const listed = await service.list({});
    assert.ok(Array.isArray(listed));
    assert.deepEqual(listed.map((each) => each.readable).sort(), [false, true]);
    const entered = await service.update(mine.id, { plainDataObj: { openAIApiKey: "sk-new" } });
    assert.equal(entered.readable, true);
    assert.deepEqual(await service.readSecret(mine.id), { openAIApiKey: "sk-new" });
  });

  test("after a lost key nothing is read, after an added one everything", async (t) => {
    const database = await openTestDatabase(t);
    const keyDir = await keyDirOf(t);
    const { id } = await (await start(database, keyDir)).create(openAi);
    await assert.rejects((await start(database, await keyDirOf(t))).readSecret(id), isUnreadable);
    const path = join(keyDir, "encryption.key");
    await writeFile(path, `${await readFile(path, "utf8")}${randomBytes(32).toString("base64")}\n`);
    assert.deepEqual(await (await start(database, keyDir)).readSecret(id), { openAIApiKey: apiKey });
  });

  test("field names that objects know are values like any other", async (t) => {
    const service = await start(await openTestDatabase(t), await keyDirOf(t));
    const plainDataObj = JSON.parse('{"constructor":"a","toString":"b"}');
    const { id, fields } = await service.create({ ...openAi, plainDataObj });
    assert.deepEqual(fields, ["constructor", "toString"]);
    assert.deepEqual(await service.readSecret(id), plainDataObj);
    assert.deepEqual((await service.get(id)).fields, ["constructor", "toString"]);
  });
});
