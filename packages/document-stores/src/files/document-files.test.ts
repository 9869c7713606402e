import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { Database } from "@weft/database";
import type { IncomingFile } from "@weft/http";
import { type CleanUp, forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import {
  adoptFiles,
  createDocumentFiles,
  type DocumentFiles,
  type HeldFile,
  type ReceivedFile,
  readWhole,
} from "./document-files.ts";

const signal = new AbortController().signal;
const hourMs = 3_600_000;
const uploadLimitBytes = 1_000_000;

const fileOf = (name: string, bytes: Uint8Array, sizeBytes = bytes.length) => {
  return { id: randomUUID(), name, mime: "text/plain", sizeBytes, bytes };
};

async function open(t: CleanUp, databases: TestDatabases) {
  const database = await databases.openTestDatabase(t);
  let laterMs = 0;
  const clock = { now: () => Date.now() + laterMs, sleep: async () => undefined };
  const ids = { uuid: () => randomUUID() };
  const files = createDocumentFiles({ database, clock, ids, uploadLimitBytes });
  const adopt = (ids: string[]) =>
    database.write((tx) => adoptFiles(tx, ids, { storeId: "store", loaderId: "loader", createdDate: "" }));
  const pass = (ms: number) => {
    laterMs += ms;
  };
  return { database, files, adopt, pass };
}

async function* cutOf(text: string) {
  if (text !== "") yield Buffer.from(text);
}

async function* skipped(file: { oversizeBytes?: number }, sizeBytes: number) {
  yield Buffer.alloc(400_000);
  file.oversizeBytes = sizeBytes;
}

async function bytesOf(files: DocumentFiles, id: string) {
  const stored = await files.read(id);
  return stored && readWhole(stored);
}

async function rowsOf({ read }: Database) {
  const of = async (table: "documentFiles" | "documentFileParts") => {
    const row = await read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as("rows"))
      .executeTakeFirstOrThrow();
    return Number(row.rows);
  };
  return { files: await of("documentFiles"), parts: await of("documentFileParts") };
}

await forEachDatabase((databases) => {
  describe("files of loaders", () => {
    test("come back as they were, large ones in parts; each read has bytes of its own", async (t) => {
      const { database, files, adopt } = await open(t, databases);
      const large = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));
      const held = [
        fileOf("large.bin", large),
        fileOf("small.txt", Buffer.from("small")),
        fileOf("", new Uint8Array()),
      ];
      await files.during(held, () => adopt(held.map(({ id }) => id)));
      assert.deepEqual(await rowsOf(database), { files: 3, parts: 4 });
      for (const { id, name, bytes } of held) {
        const stored = await files.read(id);
        assert.ok(stored);
        assert.equal(stored.name, name);
        for await (const part of stored.parts()) part.fill(0);
        assert.ok(Buffer.from(bytes).equals(await readWhole(stored)), name);
      }
      assert.equal(await files.read(randomUUID()), undefined);
    });

    test("are told apart by name and content alone", async (t) => {
      const { files } = await open(t, databases);
      const variants = [fileOf("a", Buffer.from("1")), fileOf("a", Buffer.from("1")), fileOf("b", Buffer.from("1"))];
      variants.push(fileOf("a", Buffer.from("2")), fileOf("a", new Uint8Array(), 1));
      const [one, same, ...others] = await files.during(variants, async (hashes) => hashes);
      assert.equal(one, same);
      assert.equal(new Set([one, ...others]).size, 4);
    });

    test("of a form are stored as they arrive, and gone with the request unless a loader takes them", async (t) => {
      const { database, files, adopt } = await open(t, databases);
      const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 253));
      async function* cut(pieceBytes: number) {
        for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
      }
      const incoming = (name: string): IncomingFile => ({ fieldName: "files", name, mimeType: "text/plain" });
      const form = files.receive();
      const received: ReceivedFile[] = [];
      for (const pieceBytes of [1_000, 262_144, 600_000]) {
        received.push((await form.receive(incoming("a/../b.txt"), cut(pieceBytes))) as ReceivedFile);
      }
      const small = (await form.receive(incoming("small.txt"), cutOf("small"))) as ReceivedFile;
      const empty = (await form.receive(incoming("empty.txt"), cutOf(""))) as ReceivedFile;
      const tooLarge = incoming("large.txt");
      await form.complete();
      const { parts } = await rowsOf(database);
      const large = (await form.receive(tooLarge, skipped(tooLarge, 5_000_000))) as ReceivedFile;
      assert.equal((await rowsOf(database)).parts, parts, "nothing is left of what came of the large one");
      await form.complete();
      assert.deepEqual(
        [...received, small, empty, large].map(({ sizeBytes }) => sizeBytes),
        [600_000, 600_000, 600_000, 5, 0, 5_000_000],
      );
      assert.equal(new Set(received.map(({ sha256 }) => sha256)).size, 1);
      const held = [...received, small, large].map((file, index): HeldFile => {
        return {
          id: file.id,
          name: `${index}.txt`,
          mime: file.mimeType,
          sizeBytes: file.sizeBytes,
          sha256: file.sha256,
        };
      });
      const hashes = await files.during(held, async (hashes) => {
        await adopt([...received.slice(0, 2), small, large].map(({ id }) => id));
        return hashes;
      });
      assert.equal(new Set(hashes).size, 5, "names count");
      assert.ok((await files.read(received[2]?.id ?? "")) !== undefined, "not gone before the request ends");
      await form.release();
      for (const { id } of received.slice(0, 2))
        assert.ok(bytes.equals((await bytesOf(files, id)) ?? new Uint8Array()));
      assert.equal(String(await bytesOf(files, small.id)), "small");
      assert.equal((await files.read(small.id))?.name, "3.txt");
      await assert.rejects(bytesOf(files, large.id), /its 5000000 bytes are more than/);
      assert.equal(await files.read(received[2]?.id ?? ""), undefined);
      assert.equal(await files.read(empty.id), undefined);
      await files.sweep(signal);
      assert.deepEqual(await rowsOf(database), { files: 4, parts: 7 });
    });

    test("that were too large say what to do: split it, or upload it by itself", async (t) => {
      const { files, adopt } = await open(t, databases);
      const held = [1_000_001, 999_999].map((sizeBytes) => fileOf("a.txt", new Uint8Array(), sizeBytes));
      await files.during(held, () => adopt(held.map(({ id }) => id)));
      await assert.rejects(
        bytesOf(files, held[0]?.id ?? ""),
        /its 1000001 bytes are more than the 1000000 .*; split it/,
      );
      await assert.rejects(bytesOf(files, held[1]?.id ?? ""), /the files before it took .*; upload it by itself/);
    });

    test("that no loader takes are gone at once, and their parts with the next sweep", async (t) => {
      const { database, files } = await open(t, databases);
      const held = [fileOf("a.txt", Buffer.alloc(600_000))];
      await assert.rejects(
        files.during(held, () => Promise.reject(new Error("refused"))),
        /refused/,
      );
      assert.deepEqual(await rowsOf(database), { files: 0, parts: 3 });
      await files.sweep(signal);
      assert.deepEqual(await rowsOf(database), { files: 0, parts: 0 });
    });

    test("of an upload that a crash cut off are swept after an hour, and no others", async (t) => {
      const { database, files, adopt, pass } = await open(t, databases);
      const [kept, left] = [fileOf("kept.txt", Buffer.from("kept")), fileOf("left.txt", Buffer.from("left"))];
      await files.during([kept], () => adopt([kept.id]));
      void files.during([left], () => new Promise(() => undefined));
      while ((await rowsOf(database)).parts < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await files.sweep(signal);
      assert.deepEqual(await rowsOf(database), { files: 2, parts: 2 });
      pass(hourMs + 1);
      await files.sweep(signal);
      assert.deepEqual(await rowsOf(database), { files: 1, parts: 1 });
      assert.equal(await files.read(left.id), undefined);
    });
  });
});
