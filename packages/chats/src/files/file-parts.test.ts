import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createIdSource, type Database } from "@weft/database";
import { everything } from "@weft/http/identity";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createFileService } from "./file.service.ts";

await forEachDatabase((databases) => {
  describe("long files", () => {
    it("are kept in parts, which go with them", async (t) => {
      const database = await databases.openTestDatabase(t);
      const ids = createIdSource(Date.now);
      const files = createFileService({ database, clock: { now: Date.now }, ids, holdAgent: async () => true });
      const bytes = Buffer.from(Array.from({ length: 600_001 }, (_, index) => index % 251));
      const named = (name: string, content: Uint8Array) => ({ name, mimeType: "text/plain", bytes: content });
      const place = { agentId: "agent", chatId: "chat", owner: "account:1" };
      const [long, short] = await files.store(place, [named("long.txt", bytes), named("short.txt", Buffer.from("x"))]);
      const countParts = async () => (await database.read.selectFrom("fileParts").select("partNo").execute()).length;
      assert.equal(await countParts(), 3);
      const chat = { ...place, reach: everything };
      const found = await files.find(chat, "long.txt");
      assert.equal(Buffer.compare(found.bytes, bytes), 0);
      assert.equal(Buffer.compare((await files.read(short?.id ?? ""))?.bytes ?? bytes, Buffer.from("x")), 0);

      await database.write((tx) => tx.deleteFrom("fileParts").where("partNo", "=", 2).execute());
      assert.equal(await files.read(long?.id ?? ""), undefined, "a file without its end is none");
      await assert.rejects(files.find(chat, "long.txt"), { code: "not-found" });

      await database.write((tx) => files.removeOfAgent(tx, "agent"));
      assert.equal(await countParts(), 0);
    });

    it("leave nothing behind when one of them cannot be written", async (t) => {
      const database = await databases.openTestDatabase(t);
      let writes = 0;
      const breaking: Database = {
        ...database,
        async write(fn, options) {
          writes += 1;
          if (writes === 3) throw new Error("The disk is full.");
          return database.write(fn, options);
        },
      };
      const ids = createIdSource(Date.now);
      const files = createFileService({
        database: breaking,
        clock: { now: Date.now },
        ids,
        holdAgent: async () => true,
      });
      const place = { agentId: "agent", chatId: "chat", owner: "account:1" };
      const long = { name: "long.txt", mimeType: "text/plain", bytes: Buffer.alloc(600_000, 1) };
      await assert.rejects(files.store(place, [{ ...long, bytes: Buffer.from("short") }, long]), /full/);
      assert.deepEqual(await database.read.selectFrom("files").select("id").execute(), []);
      assert.deepEqual(await database.read.selectFrom("fileParts").select("fileId").execute(), []);
    });
  });
});
