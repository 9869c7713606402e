import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Database } from "@weft/database";
import { createSecretVault } from "@weft/egress";
import { sql } from "kysely";
import { type CleanUp, forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { createCredentialService } from "./credential.service.ts";
import { loadEncryptionKeys, shareRetiredKeys } from "./encryption-keys.ts";
import { rotateEncryptionKey, rotateToGiven } from "./rotate-encryption-key.ts";
import { createSecretBox } from "./secret-box.ts";

const openAi = (value: string) => ({ name: value, credentialName: "openAIApi", plainDataObj: { key: value } });

/** A database with three credentials, and a server that loaded its keys before anything rotates. */
async function start(t: CleanUp, { createTestStorage }: TestDatabases) {
  const { dataDir, open } = await createTestStorage(t);
  const database = await open();
  const serve = async (keyDir = dataDir) =>
    createCredentialService({
      database,
      clock: { now: () => Date.parse("2026-01-01T12:00:00.000Z") },
      ids: { uuid: () => randomUUID() },
      secretBox: createSecretBox(await loadEncryptionKeys(keyDir)),
      vault: createSecretVault(),
      operator: { accounts: {} },
    });
  const server = await serve();
  const values = new Map<string, string>();
  const add = async (value: string) => void values.set((await server.create(openAi(value))).id, value);
  for (const value of ["a", "b", "c"]) await add(value);
  const [firstId = ""] = values.keys();
  async function change(value: string) {
    await server.update(firstId, openAi(value));
    values.set(firstId, value);
  }
  async function assertReadable() {
    const restarted = await serve();
    for (const [id, value] of values) {
      for (const service of [server, restarted]) assert.deepEqual(await service.readSecret(id), { key: value });
    }
  }
  const keyIds = async () => [...(await loadEncryptionKeys(dataDir))().byId.keys()];
  const sealedWith = async () => {
    const rows = await database.read.selectFrom("credentials").select("encryptedData").execute();
    return [...new Set(rows.map(({ encryptedData }) => encryptedData.split(".", 1)[0]))];
  };
  return { dataDir, database, server, serve, values, firstId, add, change, assertReadable, keyIds, sealedWith };
}

const death = new Error("The process died.");

/** The database of a process that dies at its n-th touch of it: before it takes effect, or after it. */
function dyingAt(database: Database, touch: number, when: "before" | "after"): Database {
  let touches = 0;
  const dies = (moment: "before" | "after") => {
    if (touches >= touch && when === moment) throw death;
  };
  return {
    ...database,
    get read() {
      touches += 1;
      dies("before");
      return database.read;
    },
    async write(fn, options) {
      touches += 1;
      dies("before");
      const written = await database.write(fn, options);
      dies("after");
      return written;
    },
  };
}

await forEachDatabase((databases) => {
  describe("a rotation of the encryption key", () => {
    test("seals everything with one new key, which a running server uses at once", async (t) => {
      const { dataDir, database, server, add, assertReadable, keyIds, sealedWith } = await start(t, databases);
      const [before] = await keyIds();
      const shown = await server.list({});
      assert.deepEqual(await rotateEncryptionKey(database, dataDir), { resealed: 3, unreadable: [], removedKeys: 1 });
      const after = await keyIds();
      assert.deepEqual([after.length, after.includes(before ?? "")], [1, false]);
      await add("d");
      assert.deepEqual(await sealedWith(), after);
      await assertReadable();
      const rest = (await server.list({})) as typeof shown;
      assert.deepEqual(Array.isArray(rest) && Array.isArray(shown) && rest.filter(({ name }) => name !== "d"), shown);
      assert.equal((await readFile(join(dataDir, "encryption.key"), "utf8")).split("\n").length, 2);
    });

    test("can be broken off at any point and run again; everything stays readable", async (t) => {
      const { dataDir, database, assertReadable, change, keyIds, sealedWith } = await start(t, databases);
      for (const when of ["before", "after"] as const) {
        let isFinished = false;
        for (let touch = 1; !isFinished; touch += 1) {
          isFinished = await rotateEncryptionKey(dyingAt(database, touch, when), dataDir).then(
            () => true,
            (error: unknown) => error !== death && Promise.reject(error),
          );
          // What a file that was not finished looks like.
          await writeFile(join(dataDir, "encryption.key.new"), "half a k");
          await assertReadable();
          await change(`${when} ${touch}`);
          await rotateEncryptionKey(database, dataDir);
          await assertReadable();
          assert.equal((await keyIds()).length, 1);
          assert.deepEqual(await sealedWith(), await keyIds());
        }
      }
      assert.ok(!(await readdir(dataDir)).includes("encryption.key.new"));
    });

    test("seals what other features seal, and keeps the keys of that, too", async (t) => {
      const { dataDir, database, server, keyIds } = await start(t, databases);
      const id = randomUUID();
      const clientSecret = await database.write((tx) => server.sealing.seal(tx, "s3cret", id));
      const texts = { slug: "corp", name: "Corp", issuer: "https://corp.example", clientId: "weft", scopes: "openid" };
      const settings = { domains: "[]", signUp: "nobody", defaultRole: null, roleClaim: "", roleRules: "[]" } as const;
      const dates = { createdDate: "2026-01-01T12:00:00.000Z", updatedDate: "2026-01-01T12:00:00.000Z" };
      const row = { id, ...texts, clientSecret, ...settings, isEnabled: 1, ...dates };
      await database.write((tx) => tx.insertInto("identityProviders").values(row).execute());
      assert.deepEqual(await rotateEncryptionKey(database, dataDir), { resealed: 4, unreadable: [], removedKeys: 1 });
      const found = await database.read
        .selectFrom("identityProviders")
        .select("clientSecret")
        .executeTakeFirstOrThrow();
      assert.deepEqual([found.clientSecret.split(".", 1)[0]], await keyIds());
      assert.equal(server.sealing.unseal(found.clientSecret, id), "s3cret");
      assert.throws(() => server.sealing.unseal(found.clientSecret, randomUUID()), /could not be decrypted/);
    });

    test("loses nothing that a server writes meanwhile", async (t) => {
      const { dataDir, database, add, change, assertReadable, keyIds, sealedWith } = await start(t, databases);
      let isOver = false;
      async function writeOn() {
        for (let round = 0; !isOver; round += 1) {
          await add(`round ${round}`);
          await change(`change ${round}`);
        }
      }
      const writing = writeOn();
      for (let rotation = 0; rotation < 5; rotation += 1) await rotateEncryptionKey(database, dataDir);
      isOver = true;
      await writing;
      assert.deepEqual(await sealedWith(), await keyIds());
      await assertReadable();
    });

    test("keeps the key of what cannot be opened, and names it", async (t) => {
      const {
        dataDir,
        database,
        values,
        firstId: id,
        change,
        keyIds,
        sealedWith,
        assertReadable,
      } = await start(t, databases);
      values.delete(id);
      const [keyId] = await sealedWith();
      const encryptedData = `${keyId}.${"A".repeat(64)}`;
      await database.write((tx) => tx.updateTable("credentials").set({ encryptedData }).where("id", "=", id).execute());
      const rotation = await rotateEncryptionKey(database, dataDir);
      assert.deepEqual(rotation, { resealed: 2, unreadable: [id], removedKeys: 0 });
      assert.equal((await keyIds()).length, 2);
      await change("entered again");
      assert.deepEqual(await rotateEncryptionKey(database, dataDir), { resealed: 3, unreadable: [], removedKeys: 2 });
      await assertReadable();
    });

    test("a server with a key file of before writes nothing that would be lost, and says why", async (t) => {
      const { dataDir, database, serve, firstId: id } = await start(t, databases);
      const elsewhere = join(dataDir, "elsewhere");
      await mkdir(elsewhere);
      await copyFile(join(dataDir, "encryption.key"), join(elsewhere, "encryption.key"));
      const other = await serve(elsewhere);
      await rotateEncryptionKey(database, dataDir);
      const refused = { code: "not-ready", status: 503, message: /encryption\.key is from before a rotation\. Copy/ };
      await assert.rejects(other.create(openAi("lost")), refused);
      await assert.rejects(other.update(id, openAi("lost")), refused);
      await assert.rejects(other.readSecret(id), { code: "credential-unreadable" });
      await copyFile(join(dataDir, "encryption.key"), join(elsewhere, "encryption.key"));
      assert.deepEqual(await other.readSecret(id), { key: "a" });
      await other.update(id, openAi("kept"));
      assert.deepEqual(await (await serve()).readSecret(id), { key: "kept" });
    });

    test("to a key that is given retires the earlier ones, and can be broken off and run again", async (t) => {
      const { dataDir, database, values, server, sealedWith } = await start(t, databases);
      const old = (await readFile(join(dataDir, "encryption.key"), "utf8")).trim();
      const fresh = Buffer.alloc(32, 7).toString("base64");
      const given = (text: string) => ({ reveal: () => text, isEmpty: false });
      const both = given(`${old},${fresh}`);
      await rotateToGiven(database, dataDir, given(old)).then(
        () => assert.fail("There was nothing to rotate to."),
        ({ message }: Error) =>
          assert.match(
            message,
            /^Everything is sealed with the last key of ENCRYPTION_KEY already\. To rotate, append/,
          ),
      );
      await assert.rejects(rotateToGiven(database, dataDir, given(`${fresh},${old}`)), /is sealed with the last key/);
      await assert.rejects(rotateToGiven(database, dataDir, given(fresh)), /ENCRYPTION_KEY does not hold the key/);
      let isFinished = false;
      for (let touch = 1; !isFinished; touch += 1) {
        isFinished = await rotateToGiven(dyingAt(database, touch, "before"), dataDir, both).then(
          () => true,
          (error: unknown) => {
            if (error !== death) assert.match(String(error), /^Error: Everything is sealed with the last key/);
            return error !== death;
          },
        );
      }
      await assert.rejects(rotateToGiven(database, dataDir, both), /Everything is sealed/);
      const { currentId } = (await loadEncryptionKeys(dataDir, given(fresh)))();
      assert.deepEqual(await sealedWith(), [currentId]);
      await assert.rejects(server.create(openAi("lost")), { code: "not-ready" });
      const secretBox = createSecretBox(await loadEncryptionKeys("", given(fresh)));
      const restarted = createCredentialService({
        database,
        clock: { now: () => 0 },
        ids: { uuid: () => randomUUID() },
        secretBox,
        vault: createSecretVault(),
        operator: { accounts: {} },
      });
      for (const [id, value] of values) assert.deepEqual(await restarted.readSecret(id), { key: value });
    });

    if (databases.name === "postgres") {
      test("waits for what is being sealed with an earlier key", async (t) => {
        const { dataDir, database, values, assertReadable } = await start(t, databases);
        const earlier = (await loadEncryptionKeys(dataDir))();
        const id = randomUUID();
        values.set(id, "late");
        const blocked = Promise.withResolvers<void>();
        const sharing = Promise.withResolvers<number>();
        const sealing = database.write(
          async (tx) => {
            const retired = await shareRetiredKeys(tx, "postgres");
            const encryptedData = createSecretBox(() => earlier).seal('{"key":"late"}', id, retired);
            const backend = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
            sharing.resolve(backend.rows[0]?.pid ?? 0);
            await blocked.promise;
            const now = "2026-01-01T12:00:00.000Z";
            const row = { id, name: "late", credentialName: "c", encryptedData, createdDate: now, updatedDate: now };
            await tx.insertInto("credentials").values(row).execute();
          },
          { isolation: "read-committed" },
        );
        const pid = await sharing.promise;
        const rotating = rotateEncryptionKey(database, dataDir);
        await until(async () => {
          const { rows } =
            await sql`select pid from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`.execute(
              database.read,
            );
          return rows[0];
        });
        blocked.resolve();
        await sealing;
        assert.deepEqual(await rotating, { resealed: 4, unreadable: [], removedKeys: 1 });
        await assertReadable();
      });

      test("of two at once in one folder the second is refused", async (t) => {
        const { dataDir, database, assertReadable } = await start(t, databases);
        const both = await Promise.allSettled([1, 2].map(() => rotateEncryptionKey(database, dataDir)));
        assert.deepEqual(
          both.map(({ status }) => status),
          ["fulfilled", "rejected"],
        );
        await assertReadable();
      });
    }
  });
});
