import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditedRequest } from "@weft/http";
import { createLogger } from "@weft/http/logger";
import { systemClock } from "@weft/run-host";
import { type CleanUp, forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createAudit } from "./index.ts";

const about = (action: string): AuditedRequest => ({
  identity: undefined,
  action,
  thing: { kind: "settings", id: "one" },
  fields: [],
  requestId: "r",
  address: "192.0.2.7",
});

await forEachDatabase((databases) => {
  async function open(t: CleanUp) {
    const database = await (await databases.createTestStorage(t)).open();
    t.after(() => database.close());
    const logger = createLogger({ level: "silent", write: () => undefined, now: systemClock.now });
    const { audited, auditor } = createAudit({ database, clock: systemClock, logger });
    const written = async () => {
      const rows = await database.read.selectFrom("auditEntries").select("action").orderBy("seq").execute();
      return rows.map(({ action }) => action);
    };
    const set = (name: string) =>
      audited.write((tx) => tx.insertInto("settings").values({ name, value: "1" }).execute());
    return { database, audited, auditor, written, set };
  }

  test("a request with several writes has one entry, and what it leaves to the background takes none along", async (t) => {
    const { auditor, written, set } = await open(t);
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    let background: Promise<unknown> = Promise.resolve();
    await auditor.change(about("several"), async () => {
      background = answered.then(() => set("later"));
      await Promise.all([set("a"), set("b"), set("c")]);
      await set("d");
    });
    resolve();
    await background;
    assert.deepEqual(await written(), ["several"]);
    await set("outside");
    await auditor.change(about("nothing"), async () => undefined);
    await auditor.always(about("always"), async () => undefined);
    assert.deepEqual(await written(), ["several", "always"]);
  });

  test("of two writes at once the second one takes the entry along when the first one fails", async (t) => {
    const { audited, auditor, written, set } = await open(t);
    const fails = () =>
      audited.write(async (tx) => {
        await tx.insertInto("settings").values({ name: "lost", value: "1" }).execute();
        throw new Error("No.");
      });
    await auditor.change(about("half"), async () => {
      const [first, second] = await Promise.allSettled([fails(), set("kept")]);
      assert.deepEqual([first.status, second.status], ["rejected", "fulfilled"]);
    });
    await assert.rejects(auditor.change(about("failed"), fails), /No\./);
    assert.deepEqual(await written(), ["half"]);
  });

  test("statements that are committed together take the entry along, or leave none", async (t) => {
    const { database, audited, auditor, written } = await open(t);
    const insert = database.read.insertInto("settings").values({ name: "one", value: "1" }).returning("name").compile();
    const proof = database.read.selectFrom("settings").select("name").where("name", "=", "none").compile();
    const commit = () => audited.commit<{ name: string }>({ statements: [insert], proof, lock: "settings one" });
    assert.deepEqual(await auditor.change(about("commit"), commit), [{ name: "one" }]);
    await assert.rejects(auditor.change(about("twice"), commit));
    assert.deepEqual(await written(), ["commit"]);
  });
});
