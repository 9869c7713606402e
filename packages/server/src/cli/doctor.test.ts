import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { onTestDatabase, openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { createScriptedQdrant } from "../../../vector-stores/src/qdrant/testing/scripted-qdrant.ts";
import { toNodeNotice, toSpaceNotice } from "../doctor/space-check.ts";
import { openProcessBench } from "../testing/process-bench.ts";
import { openRestartable } from "../testing/test-platform.ts";
import { callCli, runCli } from "./testing/run-cli.ts";

await onTestDatabase((databases) => {
  const asEnv = ({ dataDir, databaseUrl }: { dataDir: string; databaseUrl: string }) => ({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
  });

  describe("doctor", () => {
    it("has nothing to say of a new installation, and names keys with chats:all, beside a running server", async (t) => {
      const { place: env, start } = await openProcessBench(t, databases);
      const server = await start();
      const { exitCode, stdout, stderr } = await runCli("doctor", { env });
      assert.deepEqual([exitCode, stderr], [0, ""]);
      assert.match(
        stdout,
        /^Nothing to do\.\nKept: finished runs until deleted \(EXECUTION_RETENTION\); large .* for 30 d \(PAYLOAD_RETENTION\);.* leads until deleted \(LEAD_RETENTION\);.* for 1 d \(UNSENT_FILES_RETENTION\); .*\.\nWeft \d+\.\d+\.\d+, Node 24\.[\d.]+, (SQLite|PostgreSQL) \d\S*.*, schema \d{4}-[\w-]+\.\n$/,
      );
      assert.equal((await callCli("doctor", { env, args: ["--json"] })).stdout, "[]\n");

      const body = { keyName: "Old backend", permissions: ["predictions:run", "chats:all"] };
      const key = await server.call<{ id: string; apiKey: string }>("POST", "/apikey", body);
      await server.call("POST", "/apikey", { keyName: "Website", permissions: ["predictions:run"] });
      const told = await runCli("doctor", { env });
      assert.equal(told.exitCode, 1);
      assert.match(told.stdout, /^- The API key "Old backend" \(.+\) reaches the chats of every owner/);
      assert.equal(told.stdout.split("\n").length, 4);
      const forPrograms = JSON.parse((await callCli("doctor", { env, args: ["--json"] })).stdout);
      assert.deepEqual(
        forPrograms.map(({ check, resource }: { check: string; resource: unknown }) => [check, resource]),
        [["api-keys", { type: "api-key", id: key.id, name: "Old backend" }]],
      );
      assert.ok(!JSON.stringify(forPrograms).includes(key.apiKey));
    });

    it("names the entry of the audit log that somebody changed in the table", async (t) => {
      const { storage, open, close } = await openRestartable(t, databases);
      const server = await open();
      for (const name of ["a", "b", "c"]) await server.json("POST", "/variables", { name, value: "1", type: "string" });
      await close();
      const tell = async () => (await callCli("doctor", { env: asEnv(storage) })).stdout;
      assert.match(await tell(), /^Nothing to do\./);
      const database = await storage.open();
      await database.write((tx) =>
        tx.updateTable("auditEntries").set({ actorName: "mallory" }).where("seq", "=", 2).execute(),
      );
      await database.close();
      assert.match(
        await tell(),
        /^- The audit log was changed by something other than a server: entry 2 is the first one/,
      );
    });

    it("names closed overrides, unclear hosts of credentials, older signatures and vectors without a loader", async (t) => {
      const { storage, open } = await openRestartable(t, databases);
      const env = asEnv(storage);
      const server = await open();
      const make = (path: string, body: object) => server.json<{ id: string }>("POST", path, body);
      const flow = (start: object, node: object) =>
        JSON.stringify({
          weft: 1,
          nodes: [
            { id: "start", type: "start", config: start },
            { id: "node", ...node },
          ],
          edges: [{ id: "e", source: "start", target: "node" }],
        });
      const credential = await make("/credentials", {
        name: "Shop",
        credentialName: "httpBearerToken",
        plainDataObj: { token: "never-printed" },
      });
      const http = { type: "http", config: { url: "{{ question }}", credential: credential.id } };
      await make("/chatflows", { name: "Caller", flowData: flow({}, http) });
      const auth = { type: "standard-webhooks", acceptsOlderSignature: true };
      const reply = { type: "direct-reply", config: { message: "Hello {{ $vars.tone }}" } };
      const hook = await make("/chatflows", {
        name: "Hook",
        flowData: flow({ input: "webhook", webhook: { auth } }, reply),
      });
      const talk = await make("/chatflows", { name: "Talk", flowData: flow({}, reply) });
      await make(`/prediction/${talk.id}`, { question: "Hi", overrideConfig: { vars: { tone: "kind" } } });
      const store = await make("/document-store/store", { name: "Handbook" });
      const loader = { name: "plainText", config: { text: "Refunds take five days." } };
      const { docId } = (await make(`/document-store/upsert/${store.id}`, { loader })) as unknown as { docId: string };
      await server.json("DELETE", `/document-store/loader/${store.id}/${docId}`);

      const { stdout } = await callCli("doctor", { env, args: ["--json"] });
      const told = JSON.parse(stdout) as { check: string; message: string; resource: { id: string } }[];
      assert.deepEqual(
        told.map(({ check, resource }) => [check, resource.id]),
        [
          ["overrides", talk.id],
          ["credential-hosts", credential.id],
          ["webhooks", hook.id],
          ["document-stores", store.id],
        ],
        stdout,
      );
      assert.match(told[0]?.message ?? "", /sent vars\.tone/);
      assert.match(told[1]?.message ?? "", /agent Caller .*\{\{ question \}\}/);
      assert.match(told[3]?.message ?? "", /holds 1 vector of deleted passages/);
      assert.ok(!stdout.includes("never-printed"));
    });

    it("removes the vectors of deleted passages when told to, saying what it removes, and nothing else", async (t) => {
      const { storage, open, close } = await openRestartable(t, databases);
      const qdrant = await createScriptedQdrant();
      t.after(() => qdrant.close());
      const env = { ...asEnv(storage), EGRESS_ALLOW: new URL(qdrant.url).host };
      const server = await open(env);
      const call = server.json<{ id: string; docId: string }>;
      const upsert = (id: string, text: string) =>
        call("POST", `/document-store/upsert/${id}`, { loader: { name: "plainText", config: { text } } });
      const stores = [
        { name: "Handbook" },
        { name: "Shelf", vectorStoreConfig: JSON.stringify({ name: "qdrant", config: { url: qdrant.url } }) },
      ];
      const ids: string[] = [];
      for (const store of stores) {
        const { id } = await call("POST", "/document-store/store", store);
        ids.push(id);
        await upsert(id, "Refunds take five days.");
        const { docId } = await upsert(id, "Shipping takes a week.");
        await call("DELETE", `/document-store/loader/${id}/${docId}`);
      }
      const found = async (onServer: typeof server, storeId: string) => {
        const body = { storeId, query: "how long", includeOrphans: true };
        const path = "/document-store/vectorstore/query";
        const { docs } = await onServer.json<{ docs: { pageContent: string }[] }>("POST", path, body);
        return docs.map(({ pageContent }) => pageContent).toSorted();
      };
      const both = ["Refunds take five days.", "Shipping takes a week."];
      for (const id of ids) assert.deepEqual(await found(server, id), both);
      const isSqlite = databases.name === "sqlite";
      if (isSqlite) await close();

      const fixed = await callCli("doctor", { env, args: ["--fix"] });
      assert.equal(fixed.exitCode, 0, fixed.stderr);
      assert.deepEqual(fixed.stdout.split("\n").slice(0, -3), [
        `Will remove 1 vector of deleted passages from the document store "Handbook" (${ids[0]}).`,
        `Will remove 1 vector of deleted passages from the document store "Shelf" (${ids[1]}).`,
        'Removed 1 vector from "Handbook".',
        'Removed 1 vector from "Shelf".',
        "Nothing to do.",
      ]);
      const after = isSqlite ? await open(env) : server;
      for (const id of ids) assert.deepEqual(await found(after, id), ["Refunds take five days."]);
    });

    it("goes on after a vector database that does not answer, and has it left to do", async (t) => {
      const { storage, open, close } = await openRestartable(t, databases);
      const qdrant = await createScriptedQdrant();
      t.after(() => qdrant.close());
      const env = { ...asEnv(storage), EGRESS_ALLOW: new URL(qdrant.url).host };
      const server = await open(env);
      const call = server.json<{ id: string; docId: string }>;
      const vectorStoreConfig = JSON.stringify({ name: "qdrant", config: { url: qdrant.url } });
      const { id } = await call("POST", "/document-store/store", { name: "Shelf", vectorStoreConfig });
      const loader = { name: "plainText", config: { text: "Shipping takes a week." } };
      const { docId } = await call("POST", `/document-store/upsert/${id}`, { loader });
      await call("DELETE", `/document-store/loader/${id}/${docId}`);
      await close();
      qdrant.answerWith({ status: 500, body: '{"status":{"error":"out of disk"}}' });
      const failed = await callCli("doctor", { env, args: ["--fix", "--json"] });
      assert.equal(failed.exitCode, 1);
      assert.match(failed.stderr, /Not everything could be removed from "Shelf" .*out of disk/s);
      assert.deepEqual(
        JSON.parse(failed.stdout).map(({ check }: { check: string }) => check),
        ["document-stores"],
      );
      qdrant.answerWith(undefined);
      assert.equal((await callCli("doctor", { env, args: ["--fix"] })).exitCode, 0);
    });

    it("names lost keys, credentials that nothing opens, journals without a run, and what retention is behind with", async (t) => {
      const { storage, open, close } = await openRestartable(t, databases);
      const env = asEnv(storage);
      const server = await open();
      const body = { name: "Shop", credentialName: "httpBearerToken", plainDataObj: { token: "never-printed" } };
      const { id } = await server.json<{ id: string }>("POST", "/credentials", body);
      const reply = { id: "reply", type: "direct-reply", config: { message: "{{ question }}" } };
      const nodes = [{ id: "start", type: "start" }, reply];
      const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start", target: "reply" }] });
      const agent = await server.json<{ id: string }>("POST", "/chatflows", { name: "Echo", flowData });
      await server.json("POST", `/prediction/${agent.id}`, { question: "x".repeat(150_000) });
      await close();
      const database = await storage.open();
      await database.write(async (tx) => {
        await tx.updateTable("runs").set({ updatedDate: "2020-01-01T00:00:00.000Z" }).execute();
        await tx
          .insertInto("runEvents")
          .values({ runId: "00000000-0000-7000-8000-000000000000", seq: 1, at: 1, type: "run-warned", event: "{}" })
          .execute();
      });
      await database.close();
      const key = join(storage.dataDir, "encryption.key");
      await writeFile(key, `${Buffer.alloc(32, 1).toString("base64")}\n`);
      await rm(join(storage.dataDir, "jwt.key"));
      const first = await callCli("doctor", { env: { ...env, EXECUTION_RETENTION: "30d" }, args: ["--json"] });
      const told = JSON.parse(first.stdout) as { check: string; message: string; resource?: { id: string } }[];
      assert.deepEqual(
        told.map(({ check, resource }) => [check, resource?.id]),
        [
          ["integrity", undefined],
          ["keys", undefined],
          ["keys", id],
          ["retention", undefined],
          ["retention", undefined],
        ],
        first.stdout,
      );
      assert.match(told[0]?.message ?? "", /journals of 1 runs that do not exist/);
      assert.match(told[1]?.message ?? "", /has no jwt\.key: .* everybody has to log in again/);
      assert.match(told[2]?.message ?? "", /"Shop" .* cannot be opened: encryption\.key does not contain the key/);
      assert.match(told[3]?.message ?? "", /EXECUTION_RETENTION: 1 runs ended so long ago/);
      assert.match(told[4]?.message ?? "", /PAYLOAD_RETENTION: a server removes up to 1 MB .* \(1 are looked at\)/);
      assert.equal(existsSync(join(storage.dataDir, "jwt.key")), false);
      await rm(key);
      const env2 = { ...env, PAYLOAD_RETENTION: "off" };
      const second = JSON.parse((await callCli("doctor", { env: env2, args: ["--json"] })).stdout) as typeof told;
      assert.deepEqual(
        second.map(({ check }) => check),
        ["integrity", "keys", "keys"],
      );
      assert.match(
        second[2]?.message ?? "",
        /has no encryption\.key: if credentials are stored, .* does not start without it\. Put the file from the last/,
      );
      assert.equal(existsSync(key), false);
    });

    it("says of a database of another version what to do, and looks no further", async (t) => {
      const storage = await databases.createTestStorage(t);
      const database = await storage.open();
      const rename = (to: string) =>
        database.write(async (tx) => {
          await sql`update kysely_migration set name = ${to} where name like '0006-%'`.execute(tx);
        });
      await rename("0006-vectors");
      const { exitCode, stdout } = await callCli("doctor", { env: asEnv(storage) });
      assert.equal(exitCode, 1);
      assert.match(stdout, /^- The data was written by a newer version of Weft \(it has 0006-vectors\)\./);
      await database.write(async (tx) => {
        await sql`delete from kysely_migration where name like '0006-%'`.execute(tx);
      });
      const earlier = await callCli("doctor", { env: asEnv(storage) });
      assert.equal(earlier.exitCode, 1);
      assert.match(
        earlier.stdout,
        /^- The database is of an earlier version and lacks 0006-vector-tables\. Back it up/,
      );
      await database.close();
    });
  });
});

describe("doctor", () => {
  it("names damage of an SQLite file", async (t) => {
    const storage = await openTestStorage("sqlite", t);
    const database = await storage.open();
    const value = "x".repeat(1_024 ** 2);
    await database.write((tx) => tx.insertInto("settings").values({ name: "large", value }).execute());
    await database.close();
    const path = join(storage.dataDir, "weft.db");
    const bytes = await readFile(path);
    // Pages of the large value: each begins with the number of the next.
    const at = bytes.indexOf("x".repeat(4_000));
    bytes.fill(0xff, at, at + 64 * 1_024);
    await writeFile(path, bytes);
    const { exitCode, stdout } = await callCli("doctor", { env: { DATA_DIR: storage.dataDir } });
    assert.equal(exitCode, 1);
    assert.match(stdout, /The database is damaged: .* restore the last backup/);
  });

  it("gives the free space of an older file back with --fix", async (t) => {
    const storage = await openTestStorage("sqlite", t);
    const path = join(storage.dataDir, "weft.db");
    await rm(path);
    const older = new DatabaseSync(path);
    older.exec("create table filler (value text)");
    older.close();
    const database = await storage.open();
    await database.close();
    const again = new DatabaseSync(path);
    const insert = again.prepare("insert into filler values (?)");
    for (let index = 0; index < 80; index += 1) insert.run("x".repeat(1_024 ** 2));
    again.exec("delete from filler; drop table filler");
    again.close();
    const env = { DATA_DIR: storage.dataDir };
    assert.match((await callCli("doctor", { env })).stdout, /\d+ MB of the \d+ MB of weft\.db are free/);
    const fixed = await callCli("doctor", { env, args: ["--fix"] });
    assert.match(fixed.stdout, /^Gave \d\d MB of weft\.db back to the file system\.\n/);
    assert.doesNotMatch(fixed.stdout, /are free/);
    assert.ok((await stat(path)).size < 8 * 1_024 ** 2);
  });

  it("names a disk that is nearly full, and a Node that is not the tested one", () => {
    const gib = 1_024 ** 3;
    const space = { dataDir: "/data", freeBytes: 2 * gib, databaseBytes: gib };
    assert.equal(toSpaceNotice(space), undefined);
    assert.match(
      toSpaceNotice({ ...space, databaseBytes: 3 * gib }) ?? "",
      /has 2048 MB free, and the database has 3072 MB/,
    );
    assert.match(
      toSpaceNotice({ dataDir: "/data", freeBytes: gib / 4, databaseBytes: 0 }) ?? "",
      /has 256 MB free\. When/,
    );
    assert.equal(toNodeNotice("24.1.0"), undefined);
    assert.match(toNodeNotice("22.18.0") ?? "", /^This is Node 22\.18\.0; Weft is tested with Node 24/);
  });

  it("refuses a folder without data, and never makes it one", async () => {
    const env = { DATA_DIR: "/tmp/weft-no-such-folder" };
    const { exitCode, stdout, stderr } = await runCli("doctor", { env });
    assert.deepEqual([exitCode, stdout], [2, ""]);
    assert.match(stderr, /^There is no weft\.db in .+\. Set DATA_DIR to the data folder of the server\.\n$/);
    const wrong = await callCli("doctor", { args: ["--jsno"] });
    assert.equal(wrong.exitCode, 2);
  });
});
