import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Kysely, sql } from "kysely";
import type { Database } from "./database.ts";
import { assertWritable } from "./readiness.ts";
import { isUniqueViolation, StorageError } from "./storage-error.ts";
import type { Tables } from "./tables.ts";
import { forEachDatabase } from "./testing/test-databases.ts";

await forEachDatabase(({ openTestDatabase, createTestStorage }) => {
  describe("opening", () => {
    test("a second start finds the schema and the data as they were", async (t) => {
      const storage = await createTestStorage(t);
      const first = await storage.open();
      await first.write((tx) => putSetting(tx, "kept", "yes"));
      await first.close();
      const second = await storage.open();
      assert.equal(await readSetting(second, "kept"), "yes");
      await assertWritable(second);
    });

    test("data of a newer version is refused and left alone", async (t) => {
      const storage = await createTestStorage(t);
      const newer = await storage.open();
      await newer.write(async (tx) => {
        await sql`insert into kysely_migration values ('9999-from-the-future', ${new Date().toISOString()})`.execute(
          tx,
        );
      });
      await newer.close();
      await assert.rejects(storage.open(), (error: unknown) => {
        assert.ok(error instanceof StorageError);
        assert.match(error.message, /newer version of Weft \(it has 9999-from-the-future\)/);
        return true;
      });
    });

    test("closing waits for the writes under way and refuses later ones", async (t) => {
      const storage = await createTestStorage(t);
      const database = await storage.open();
      const write = database.write((tx) => putSetting(tx, "last", "words"));
      await Promise.all([database.close(), write]);
      await assert.rejects(database.write((tx) => putSetting(tx, "too", "late")));
      await assert.rejects(assertWritable(database));
      assert.equal(await readSetting(await storage.open(), "last"), "words");
    });
  });

  describe("writing", () => {
    test("a writer that fails undoes only itself", async (t) => {
      const database = await openTestDatabase(t);
      const results = await Promise.allSettled([
        database.write((tx) => putSetting(tx, "a", "1")),
        database.write(async (tx) => {
          await putSetting(tx, "b", "2");
          throw new Error("changed my mind");
        }),
        database.write((tx) => putSetting(tx, "c", "3")),
      ]);
      assert.deepEqual(
        results.map((result) => result.status),
        ["fulfilled", "rejected", "fulfilled"],
      );
      const rows = await database.read.selectFrom("settings").select("name").orderBy("name").execute();
      assert.deepEqual(rows, [{ name: "a" }, { name: "c" }]);
    });

    test("a statement that fails rejects with the database's error, and the key that is taken is recognised", async (t) => {
      const database = await openTestDatabase(t);
      await database.write((tx) => putSetting(tx, "a", "1"));
      await assert.rejects(
        database.write((tx) => putSetting(tx, "a", "2")),
        isUniqueViolation,
      );
      await assert.rejects(
        database.write((tx) => sql`insert into "noSuchTable" values (1)`.execute(tx)),
        (error) => !isUniqueViolation(error),
      );
      assert.equal(await readSetting(database, "a"), "1");
    });

    test("what one writer wrote, the next one reads", async (t) => {
      const database = await openTestDatabase(t);
      await database.write((tx) => putSetting(tx, "count", "0"));
      const increment = () =>
        database.write(async (tx) => {
          const { value } = await readRow(tx, "count");
          await tx
            .updateTable("settings")
            .set({ value: String(Number(value) + 1) })
            .where("name", "=", "count")
            .execute();
        });
      await Promise.all(Array.from({ length: 6 }, increment));
      assert.equal(await readSetting(database, "count"), "6");
    });

    test("a write resolves with its value, and its rows are visible to readers", async (t) => {
      const database = await openTestDatabase(t);
      const writes = Array.from({ length: 40 }, (_, index) =>
        database.write(async (tx) => {
          await putSetting(tx, `n${index}`, String(index));
          return index;
        }),
      );
      for (const [index, write] of writes.entries()) {
        assert.equal(await write, index);
        assert.equal(await readSetting(database, `n${index}`), String(index));
      }
    });

    test("a write inside a write is refused, and the outer one can go on", async (t) => {
      const database = await openTestDatabase(t);
      await database.write(async (tx) => {
        await assert.rejects(
          database.write((inner) => putSetting(inner, "inner", "")),
          /cannot be started inside a write/,
        );
        await putSetting(tx, "outer", "");
      });
      assert.equal(await readSetting(database, "outer"), "");
      assert.equal(await readSetting(database, "inner"), undefined);
    });

    test("a write may be started by what a write left running", async (t) => {
      const database = await openTestDatabase(t);
      let later: Promise<void> | undefined;
      const ended = Promise.withResolvers<void>();
      await database.write(async () => {
        later = ended.promise.then(() => database.write((tx) => putSetting(tx, "later", "")));
      });
      ended.resolve();
      await later;
      assert.equal(await readSetting(database, "later"), "");
    });

    test("the handle of a write that ended is useless", async (t) => {
      const database = await openTestDatabase(t);
      let kept: Kysely<Tables> | undefined;
      await database.write(async (tx) => {
        kept = tx;
      });
      const stale = kept;
      assert.ok(stale);
      await assert.rejects(async () => putSetting(stale, "stale", ""));
      assert.equal(await readSetting(database, "stale"), undefined);
    });
  });

  describe("values", () => {
    test("text comes back character for character", async (t) => {
      const database = await openTestDatabase(t);
      const texts = ["", "\u0000", "a\u0000\u0001\u0002b", "ÅÅ", "😀 עברית", "\\u0000", '{"a":"\\u0000"}', "'; --"];
      await database.write(async (tx) => {
        for (const [index, value] of texts.entries()) await putSetting(tx, `t${index}`, value);
      });
      for (const [index, value] of texts.entries()) assert.equal(await readSetting(database, `t${index}`), value);
      const found = await database.read.selectFrom("settings").select("name").where("value", "=", "\u0000").execute();
      assert.deepEqual(found, [{ name: "t1" }]);
    });

    test("flowData keeps its bytes: spaces, order of keys, escapes, numbers", async (t) => {
      const database = await openTestDatabase(t);
      const flowData = '{ "b":1.0,\r\n\t"a" : 1e400, "a":"\\u00e9\\ud800 é\\u0000", "n":12345678901234567890 }\n';
      await database.write((tx) => tx.insertInto("agents").values(agent("a", flowData)).execute());
      const row = await database.read.selectFrom("agents").selectAll().executeTakeFirstOrThrow();
      assert.deepEqual(row, agent("a", flowData));
    });

    test("text sorts by its bytes", async (t) => {
      const database = await openTestDatabase(t);
      const names = ["b", "B", "a", "_", "é", "z", "Z", "\u0000", "\u0001", "10", "9", "😀", "\uffee"];
      await database.write(async (tx) => {
        for (const name of names) await putSetting(tx, name, "");
      });
      const rows = await database.read.selectFrom("settings").select("name").orderBy("name").execute();
      const expected = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(
        rows.map((row) => row.name),
        expected,
      );
    });

    test("whole numbers are exact, and those that cannot be are refused", async (t) => {
      const database = await openTestDatabase(t);
      const texts = { id: "v", agentId: "a", flowData: "{}", createdDate: "", createdBy: null };
      const version = { ...texts, number: Number.MAX_SAFE_INTEGER };
      await database.write((tx) => tx.insertInto("agentVersions").values(version).execute());
      const row = await database.read.selectFrom("agentVersions").selectAll().executeTakeFirstOrThrow();
      assert.equal(row.number, Number.MAX_SAFE_INTEGER);
      const counted = await database.read
        .selectFrom("agentVersions")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      assert.equal(counted.count, 1);
      await database.write((tx) => sql`update "agentVersions" set number = 9007199254740993`.execute(tx));
      await assert.rejects(database.read.selectFrom("agentVersions").selectAll().execute());
    });

    test("a version number is given once per agent", async (t) => {
      const database = await openTestDatabase(t);
      const version = { agentId: "a", number: 1, flowData: "{}", createdDate: "" };
      const put = (id: string) =>
        database.write((tx) =>
          tx
            .insertInto("agentVersions")
            .values({ id, ...version })
            .execute(),
        );
      await put("v1");
      await assert.rejects(put("v2"), isUniqueViolation);
    });
  });
});

async function putSetting(tx: Kysely<Tables>, name: string, value: string): Promise<void> {
  await tx.insertInto("settings").values({ name, value }).execute();
}

function readRow(db: Kysely<Tables>, name: string) {
  return db.selectFrom("settings").selectAll().where("name", "=", name).executeTakeFirstOrThrow();
}

async function readSetting(database: Database, name: string): Promise<string | undefined> {
  const row = await database.read.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}

function agent(id: string, flowData: string) {
  const settings = { chatbotConfig: "{}", apiConfig: "{}", analytic: "{}", speechToText: "{}", category: "" };
  const dates = { createdDate: "2025-01-01T00:00:00.000Z", updatedDate: "2025-01-01T00:00:00.000Z" };
  const rest = { name: "", deployed: 0, isPublic: 1, apikeyid: "", type: "AGENTFLOW", versionId: "v" };
  return { id, flowData, ...settings, ...dates, ...rest };
}
