import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { openDatabase } from "../open-database.ts";

test("the log stays bounded while somebody writes without pause, and nothing of it is lost", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-test-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const database = await openDatabase({ databaseUrl: "", dataDir });
  const value = "x".repeat(256 * 1_024);
  let highest = 0;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let index = 0; index < 100; index += 1) {
      await database.write((tx) =>
        tx
          .insertInto("settings")
          .values({ name: `${writer}-${index}`, value })
          .execute(),
      );
      highest = Math.max(highest, (await stat(join(dataDir, "weft.db-wal"))).size);
    }
  });
  await Promise.all(writers);
  // 100 MiB were written; the log is copied at 16 MiB, and grows on while that begins.
  assert.ok(highest < 64 * 1_024 ** 2, `${highest} bytes`);
  await database.close();
  const again = await openDatabase({ databaseUrl: "", dataDir });
  t.after(() => again.close());
  assert.equal((await again.read.selectFrom("settings").select("name").execute()).length, 400);
});

test("a process that does nothing but write stays until everything is written and closed", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-test-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const script = `
    const { openDatabase } = await import(${JSON.stringify(new URL("../open-database.ts", import.meta.url).href)});
    const database = await openDatabase({ databaseUrl: "", dataDir: ${JSON.stringify(dataDir)} });
    for (let index = 0; index < 40; index += 1) {
      await database.write((tx) =>
        tx.insertInto("settings").values({ name: String(index), value: "x".repeat(1_048_576) }).execute());
    }
    await database.close();
    console.log("closed");`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  assert.equal(stdout, "closed\n");
});
