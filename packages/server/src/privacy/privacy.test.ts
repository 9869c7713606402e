import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Database } from "@weft/database";
import { copySqliteDatabase } from "@weft/database/compact-sqlite-database";
import type { Erased } from "@weft/schema";
import { sql } from "kysely";
import { forEachDatabase, type TestDatabases, type TestStorage } from "../../../database/src/testing/test-databases.ts";
import { unpack } from "../../../run-host/src/journal/event-row.ts";
import { openScriptedPlatform, type ScriptedPlatform } from "../testing/scripted-model.ts";
import { sendForm } from "../testing/send-form.ts";
import { agentWith } from "../testing/test-platform.ts";

/** A model whose answer repeats the question, a store beside it, and a person who approves. */
function flowWith(storeId: string, asks: boolean): string {
  const ask = { id: "ask", type: "human-input", label: "Ask", config: { question: "May I?" } };
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", label: "Start" },
      { id: "node_0", type: "llm", label: "LLM" },
      { id: "store", type: "vector-store", label: "Store", config: { storeId } },
      ...(asks ? [ask] : []),
    ],
    edges: [
      { id: "e", source: "start_0", target: "node_0" },
      ...(asks ? [{ id: "f", source: "node_0", target: "ask" }] : []),
    ],
  });
}

type Place = { storage: TestStorage; platform: ScriptedPlatform; agentId: string; asking: string };

async function openPlace(t: Parameters<TestDatabases["createTestStorage"]>[0], databases: TestDatabases) {
  const storage = await databases.createTestStorage(t);
  const platform = await openScriptedPlatform(
    t,
    { createTestStorage: async () => storage },
    ({ messages }) => ({
      text: `You said ${JSON.stringify(messages.at(-1)?.content).slice(0, 200)}`,
    }),
    { env: { ALLOW_PUBLIC_FLOWS: "true" } },
  );
  const { id: storeId } = await platform.json<{ id: string }>("POST", "/document-store/store", { name: "Store" });
  const agentId = await agentWith(platform, flowWith(storeId, false), { isPublic: true });
  const asking = await agentWith(platform, flowWith(storeId, true), { isPublic: true });
  return { storage, platform, agentId, asking };
}

type Answer = { executionId: string; chatMessageId: string };

/** A request of somebody without credentials, which may be repeated. */
async function visit<T>({ fetch }: ScriptedPlatform, path: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  const request = new Request(`http://platform/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await fetch(request);
  const text = await response.text();
  assert.equal(response.status, 200, `${path}: ${text}`);
  return JSON.parse(text);
}

/** Leaves the word wherever a person can leave one. */
async function plant({ platform, agentId, asking }: Place, word: string, chat: { chatId: string; email: string }) {
  const { chatId, email } = chat;
  const said = await visit<Answer>(platform, `/prediction/${agentId}`, { question: `I am ${word}.`, chatId });
  const { executionId, chatMessageId } = said;
  // Long enough for its messages to be kept beside the journal, and to be packed there.
  const long = `${word} `.repeat(1_500);
  await visit(platform, `/prediction/${agentId}`, { question: long, chatId });
  await visit(platform, `/prediction/${agentId}`, { form: { name: word }, chatId });
  await visit(platform, `/prediction/${asking}`, { question: `May ${word}?`, chatId });
  const rating = {
    chatflowid: agentId,
    chatId,
    messageId: chatMessageId,
    rating: "THUMBS_UP",
    content: `From ${word}`,
  };
  await visit(platform, "/feedback", rating);
  await visit(platform, "/leads", { chatflowid: agentId, chatId, name: word, email });
  const file = { name: `${word}.txt`, type: "text/plain", bytes: `A letter of ${word}` };
  assert.equal((await sendForm(platform, `/attachments/${agentId}/${chatId}`, [["files", file]], {})).status, 200);
  const upsert = await sendForm(platform, `/vector/upsert/${agentId}`, [
    ["files", file],
    ["chatId", chatId],
  ]);
  assert.equal(upsert.status, 200, await upsert.clone().text());
  await note({ platform, agentId }, word);
  const replay = await platform.send("POST", `/executions/${executionId}/replay`, { nodeId: "node_0" });
  assert.equal(replay.status, 200);
  return { executionId };
}

/** Someone answers the person, and notes the word. */
async function note({ platform, agentId }: Pick<Place, "platform" | "agentId">, word: string): Promise<void> {
  const search = `/conversations?agentId=${agentId}&search=${word}`;
  const { data } = await platform.json<{ data: { id: string }[] }>("GET", search);
  const path = `/conversations/${data[0]?.id}`;
  await platform.json("PATCH", path, { note: `A friend of ${word}`, labels: [word] });
  await platform.json("PUT", `${path}/take-over`, { name: "Ada" });
  await platform.json("POST", `${path}/replies`, { text: `Hello ${word}` });
}

const erasedTables = [
  ...["budgets", "callbackDeliveries", "callbacks", "chatMessages", "conversations", "feedback", "fileParts"],
  ...["files", "leads"],
  ...["idempotencyKeys", "importedRuns", "promptParts", "runEvents", "runs"],
  ...["documentChunks", "documentFileParts", "documentFiles", "documentFingerprints", "documentLoaders"],
  ...["documentEvaluations", "documentRecords", "upsertHistory", "upsertJobs", "vectorRecords"],
];

/** What operators and authors made, and counters. */
const tablesWithoutPeople = [
  ...[
    "accountIdentities",
    "accountLinks",
    "accountNetworks",
    "accounts",
    "agentDrafts",
    "agentVersions",
    "agents",
    "apiKeys",
    "assistants",
    "credentials",
    "identityProviders",
    "noticeChannels",
    "noticeQueue",
    "notices",
    "noticesSeen",
  ],
  ...["documentChecks", "documentCollections", "documentQuestions", "documentStoreUses", "documentStores"],
  ...[
    "auditChain",
    "auditEntries",
    "processes",
    "revokedTokens",
    "scheduleFirings",
    "schedules",
    "settings",
    "tools",
    "variables",
  ],
  "vectorCollections",
];

/** Where the word stands: tables with their packed texts, and their full-text indexes. */
async function findInTables({ read, dialect }: Database, word: string): Promise<string[]> {
  const tables = await read.introspection.getTables({ withInternalKyselyTables: false });
  const found: string[] = [];
  for (const { name } of tables) {
    // What stands in a contentless index has no columns: the files say.
    if (dialect === "sqlite" && name.startsWith("vectorTerms")) continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(read);
    if (rows.some((row) => Object.values(row).some((value) => saysWord(value, word)))) found.push(name);
  }
  return found.toSorted();
}

function saysWord(value: unknown, word: string): boolean {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1").toLowerCase().includes(word);
  if (typeof value !== "string") return false;
  return (/^z\d{8}/.test(value) ? unpack(value) : value).toLowerCase().includes(word);
}

async function findInFiles(folder: string, word: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path, "latin1")).toLowerCase().includes(word)) found.push(entry.name);
  }
  return found;
}

/** Neither in the folder of the database, which is in use, nor in a backup. */
async function assertInNoFile(t: TestContext, dataDir: string, word: string): Promise<void> {
  assert.deepEqual(await findInFiles(dataDir, word), []);
  const backup = await mkdtemp(join(tmpdir(), "weft-erased-"));
  t.after(() => rm(backup, { recursive: true, force: true }));
  copySqliteDatabase(join(dataDir, "weft.db"), join(backup, "weft.db"));
  assert.deepEqual(await findInFiles(backup, word), []);
}

await forEachDatabase((databases) => {
  const isSqlite = databases.name === "sqlite";

  for (const kind of ["chatId", "sessionId", "email"] as const) {
    test(`what is kept of a person by ${kind} is exported, and erased from tables, files and backups`, async (t) => {
      const place = await openPlace(t, databases);
      const { platform, storage } = place;
      const [word, stranger] = ["zebrafish", "quokkaworld"];
      const chatId = randomUUID();
      const email = "Zoe@Zebrafish.example";
      await plant(place, word, { chatId, email });
      await plant(place, stranger, { chatId: randomUUID(), email: "someone@else.example" });
      const person = { [kind]: kind === "email" ? email.toLowerCase() : chatId };

      const exported = await platform.json<Record<string, object[]>>("POST", "/privacy/export", person);
      for (const part of ["chats", "messages", "feedback", "leads", "documents", "executions"]) {
        assert.ok(JSON.stringify(exported[part]).includes(word), part);
      }
      assert.ok(exported.files?.some((file) => "data" in file && atob(String(file.data)).includes(word)));
      assert.ok(!JSON.stringify(exported).includes(stranger));

      const erased = await platform.json<Erased>("POST", "/privacy/erase", person);
      const { callbacks, ...planted } = erased;
      assert.ok(Math.min(...Object.values(planted)) > 0, JSON.stringify(erased));
      assert.equal(callbacks, 0);
      const again = await platform.json<Erased>("POST", "/privacy/erase", person);
      assert.deepEqual(new Set(Object.values(again)), new Set([0]));
      const left = await platform.json<Record<string, object[]>>("POST", "/privacy/export", person);
      assert.ok(Object.values(left).every((part) => part.length === 0));
      if (isSqlite) await assertInNoFile(t, storage.dataDir, word);
      await platform.close();
      const database = await storage.open();
      t.after(() => database.close());
      assert.deepEqual(await findInTables(database, word), []);
      const kept = await findInTables(database, stranger);
      for (const table of [
        "chatMessages",
        "conversations",
        "documentChunks",
        "feedback",
        "files",
        "idempotencyKeys",
        "leads",
        "promptParts",
      ])
        assert.ok(kept.includes(table), `${table} of somebody else: ${kept.join()}`);
    });
  }

  test("what is kept of a key's client goes, and that of others stays", async (t) => {
    const { platform, agentId } = await openPlace(t, databases);
    const keys: Record<string, string> = {};
    for (const clientId of ["shop", "bank"]) {
      const permissions = ["predictions:run", "messages:read"];
      const made = await platform.json<{ apiKey: string }>("POST", "/apikey", {
        keyName: clientId,
        permissions,
        clientId,
      });
      keys[clientId] = made.apiKey;
      const headers = { authorization: `Bearer ${made.apiKey}` };
      await platform.send("POST", `/prediction/${agentId}`, { question: clientId, chatId: "same" }, headers);
    }
    const { messages, executions } = await platform.json<Erased>("POST", "/privacy/erase", { clientId: "shop" });
    assert.deepEqual([messages, executions], [2, 1]);
    const left = await platform.json<{ content: string }[]>("GET", `/chatmessage/${agentId}`);
    assert.deepEqual([left.length, left[0]?.content], [2, "bank"]);
  });

  test("hardDelete of messages takes the words of their runs, and a plain deletion keeps the runs", async (t) => {
    const place = await openPlace(t, databases);
    const { platform, storage, agentId } = place;
    const [word, chatId, kept] = ["zebrafish", randomUUID(), randomUUID()];
    await plant(place, word, { chatId, email: "zoe@else.example" });
    await platform.send("POST", `/prediction/${agentId}`, { question: "quokkaworld", chatId: kept });
    assert.equal(
      (await platform.send("DELETE", `/chatmessage/${agentId}?chatId=${chatId}&hardDelete=true`)).status,
      200,
    );
    assert.equal((await platform.send("DELETE", `/chatmessage/${agentId}?chatId=${kept}`)).status, 200);
    assert.equal(
      (await platform.send("DELETE", `/chatmessage/${agentId}?chatId=${chatId}&hardDelete=true`)).status,
      404,
    );
    await platform.close();
    const database = await storage.open();
    t.after(() => database.close());
    const runs = await database.read.selectFrom("runs").select("chatId").where("agentId", "=", agentId).execute();
    assert.deepEqual(runs, [{ chatId: kept }]);
    const events = await database.read.selectFrom("runEvents").selectAll().execute();
    const others = await database.read.selectFrom("runs").select("id").where("agentId", "!=", agentId).execute();
    const elsewhere = new Set(others.map(({ id }) => id));
    assert.ok(events.every(({ runId, event }) => elsewhere.has(runId) || !saysWord(event, word)));
    assert.ok(events.some(({ event }) => saysWord(event, "quokkaworld")));
  });

  test("every table keeps something of people, and is looked at, or keeps nothing", async (t) => {
    const { read } = await databases.openTestDatabase(t);
    const tables = (await read.introspection.getTables()).map(({ name }) => name);
    const known = [...erasedTables, ...tablesWithoutPeople, ...(isSqlite ? [] : ["limits"])];
    const isIndex = (name: string) => name.startsWith("vectorTerms");
    // A new table belongs to one of the two: what of a person stands in it, `/privacy/erase` must find.
    assert.deepEqual(tables.filter((name) => !isIndex(name)).toSorted(), known.toSorted());
  });

  test("exactly one name is taken, and only by those who may", async (t) => {
    const lines: string[] = [];
    const storage = await databases.createTestStorage(t);
    const platform = await openScriptedPlatform(t, { createTestStorage: async () => storage }, undefined, {
      writeLog: (line) => void lines.push(line),
    });
    for (const body of [undefined, {}, { chatId: "" }, { chatId: "a", email: "b@c" }, { name: "Zoe" }, { chatId: 7 }]) {
      for (const path of ["/privacy/export", "/privacy/erase"])
        assert.equal((await platform.send("POST", path, body)).status, 400, JSON.stringify(body));
    }
    const statusOf = async (permissions: string[], path: string) => {
      const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "k", permissions });
      return (await platform.send("POST", path, { email: "zoe@zebra.example" }, { authorization: `Bearer ${apiKey}` }))
        .status;
    };
    assert.equal(await statusOf(["*"], "/privacy/erase"), 403, "everything but what is others'");
    assert.equal(await statusOf(["privacy:read"], "/privacy/erase"), 403);
    assert.equal(await statusOf(["privacy:write"], "/privacy/erase"), 200);
    assert.equal(await statusOf(["privacy:read"], "/privacy/export"), 200);
    const visitor = new Request("http://platform/api/v1/privacy/erase", { method: "POST", body: '{"chatId":"a"}' });
    assert.equal((await platform.fetch(visitor)).status, 401);
    const events = lines.filter((line) => line.includes("personal-data-"));
    assert.equal(events.length, 2);
    assert.ok(!lines.join("").includes("zebra"), "no word of the person");
    const statuses: number[] = [];
    for (let index = 0; index < 25; index += 1)
      statuses.push((await platform.send("POST", "/privacy/erase", { chatId: "a" })).status);
    assert.ok(statuses.includes(429));
  });
});
