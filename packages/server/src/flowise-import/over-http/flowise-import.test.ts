import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { type BuiltFlowise, flowiseId, writeFlowiseExport } from "@weft/flowise-source/testing";
import type { FlowiseImport, FlowiseImportRun } from "@weft/schema";
import {
  onTestDatabase,
  openTestStorage,
  type TestDatabases,
} from "../../../../database/src/testing/test-databases.ts";
import { openTestPlatform, type TestPlatform } from "../../testing/test-platform.ts";
import { buildFlowise, countsOf } from "../testing/bench.ts";

await onTestDatabase((databases) => {
  test("a database is uploaded in parts, rehearsed and imported, and nothing of it is kept", async (t) => {
    const lines: string[] = [];
    const { platform, dataDir } = await open(t, databases, lines);
    const flowise = await buildFlowise(t);
    const key = await readFile(flowise.keyFile, "utf8");
    const uploaded = await upload(platform, await readFile(flowise.database));
    assert.deepEqual(uploaded.file?.workspaces, ["Default Workspace", "Second Workspace"]);
    const dry = await finish(platform, { dryRun: true, key });
    assert.ok(dry.state === "done" && dry.report.dryRun);
    assert.deepEqual(await platform.json("GET", "/credentials"), []);
    const after = await platform.json<FlowiseImport>("GET", "/flowise-import");
    assert.deepEqual([after.hasKey, after.run], [true, dry]);
    const run = await finish(platform, { dryRun: false });
    assert.ok(run.state === "done");
    const { dryRun: _, embedding: __, ...report } = run.report;
    const { dryRun: ___, embedding: ____, ...expected } = dry.report;
    assert.deepEqual(report, expected);
    const agent = await platform.json<{ name: string }>("GET", `/chatflows/${flowiseId("chat_flow", 1)}`);
    assert.equal(agent.name, "Agent 1");
    const credential = await platform.json<{ fields: string[] }>("GET", `/credentials/${flowiseId("credential", 0)}`);
    assert.notDeepEqual(credential.fields, []);
    const last = await platform.json<FlowiseImport>("GET", "/flowise-import");
    assert.deepEqual({ ...last, run: undefined }, { file: null, hasKey: false, run: undefined });
    assert.deepEqual(await leftIn(dataDir), []);
    assert.ok(!JSON.stringify([uploaded, dry, run, last, lines]).includes(key.trim()));
  });
});

test("an export is imported, of one workspace alone where a database has several", async (t) => {
  const { platform } = await open(t);
  const flowise = await buildFlowise(t);
  const file = new Blob([new Uint8Array(await readExport(flowise))]);
  await platform.client.uploadFlowiseFile({ name: "ExportData.json", sizeBytes: file.size }, file);
  const run = await finish(platform, { dryRun: false });
  assert.ok(run.state === "done");
  assert.deepEqual([run.openFlows, run.workspace], ["closed", null]);
  const [read = 0, written] = countsOf(run.report, "chat_message");
  assert.ok(read > 100 && written === read);
  await upload(platform, await readFile(flowise.database));
  await assertRefused(
    begin(platform, { dryRun: true, workspace: "Third" }),
    422,
    /no workspace called Third\. There are: D/,
  );
  const second = await finish(platform, { dryRun: true, workspace: "Second Workspace", openFlows: "public" });
  assert.ok(second.state === "done");
  assert.deepEqual([second.openFlows, second.workspace], ["public", "Second Workspace"]);
  assert.deepEqual(countsOf(second.report, "variable"), [1, 1, 0, 0]);
  assert.ok(second.report.agents.some(({ access }) => access === "public"));
});

test("a wrong key, and a file that is damaged, are told before anything is written", async (t) => {
  const { platform, dataDir } = await open(t);
  const flowise = await buildFlowise(t);
  const bytes = await readFile(flowise.database);
  await upload(platform, bytes);
  const wrong = await finish(platform, { dryRun: false, key: "another key of 32 characters ..." });
  assert.match(wrong.state === "failed" ? wrong.error : "", /^Nothing was imported: the key opens none/);
  const without = await finish(platform, { dryRun: true, key: "" });
  assert.match(without.state === "done" ? without.report.notes.join() : "", /came without its values/);
  await assertRefused(send(platform, bytes.subarray(0, bytes.length / 2)), 422, /^database\.sqlite is damaged/);
  await assertRefused(
    send(platform, Buffer.from("Buy milk."), { name: "notes.txt" }),
    422,
    /^notes\.txt is not an export/,
  );
  const json = (await readExport(flowise)).subarray(0, 5_000);
  await assertRefused(send(platform, json, { name: "e.json" }), 422, /^e\.json is cut short/);
  assert.deepEqual(await leftIn(dataDir), []);
  assert.deepEqual(await platform.json("GET", "/credentials"), []);
});

test("an upload that is aborted leaves nothing, and its rest can be sent", async (t) => {
  const { platform, dataDir } = await open(t);
  const content = Buffer.from('{"Tool":[{"id":"x"}]}');
  const sizeBytes = content.length;
  await assertRefused(send(platform, breaking(content), { sizeBytes }), 400, /ended unexpectedly/);
  assert.deepEqual(await leftIn(dataDir), []);
  await send(platform, content.subarray(0, 5), { sizeBytes });
  await assertRefused(begin(platform, { dryRun: true }), 409, /Only 5 of 21 bytes of database\.sqlite have arrived/);
  await assertRefused(send(platform, breaking(content.subarray(5, 8)), { sizeBytes, offset: 5 }), 400, /ended/);
  await assertRefused(send(platform, content.subarray(8), { sizeBytes, offset: 8 }), 409, /stands at byte 5/);
  assert.equal((await platform.json<FlowiseImport>("GET", "/flowise-import")).file?.receivedBytes, 5);
  await assertRefused(send(platform, content, { sizeBytes, offset: 5 }), 413, /16/);
  assert.ok((await send(platform, content.subarray(5), { sizeBytes, offset: 5 })).ok);
  await platform.json("DELETE", "/flowise-import");
  assert.deepEqual(await leftIn(dataDir), []);
});

test("too large a file is refused, two imports at once, and a key without the permission", async (t) => {
  const { platform } = await open(t);
  await assertRefused(send(platform, Buffer.from("x"), { sizeBytes: 3 * 1024 ** 3 }), 413, /2147483648/);
  await assertRefused(begin(platform, { dryRun: true }), 409, /Upload database\.sqlite/);
  const flowise = await buildFlowise(t);
  const bytes = await readFile(flowise.database);
  await upload(platform, bytes);
  const both = await Promise.all([begin(platform, { dryRun: false }), begin(platform, { dryRun: false })]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  await assertRefused(send(platform, bytes), 409, /An import is running/);
  const cancelled = await platform.json<FlowiseImport>("DELETE", "/flowise-import");
  assert.deepEqual(cancelled, { file: null, hasKey: false, run: null });
  const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", {
    keyName: "k",
    permissions: ["installation:export", "agents:write"],
  });
  const headers = { authorization: `Bearer ${apiKey}` };
  for (const [method, path] of [
    ["GET", ""],
    ["POST", ""],
    ["DELETE", ""],
    ["PUT", "/file?name=x&sizeBytes=1"],
  ] as const) {
    const answer = await platform.send(method, `/flowise-import${path}`, method === "GET" ? undefined : {}, headers);
    assert.equal(answer.status, 403, method);
  }
});

async function open(t: TestContext, databases?: TestDatabases, lines?: string[]) {
  let dataDir = "";
  const here: Pick<TestDatabases, "createTestStorage"> = {
    async createTestStorage(cleanUp) {
      const storage = await (databases?.createTestStorage(cleanUp) ?? openTestStorage("sqlite", cleanUp));
      dataDir = storage.dataDir;
      return storage;
    },
  };
  const log = lines === undefined ? {} : { writeLog: (line: string) => void lines.push(line) };
  const platform = await openTestPlatform(t, here, {}, log);
  return { platform, dataDir };
}

type Part = { name?: string; sizeBytes?: number; offset?: number };

function send(platform: TestPlatform, body: Buffer | ReadableStream, part: Part = {}): Promise<Response> {
  const { name = "database.sqlite", offset = 0 } = part;
  const sizeBytes = part.sizeBytes ?? (Buffer.isBuffer(body) ? body.length : 0);
  const query = new URLSearchParams({ name, sizeBytes: String(sizeBytes), offset: String(offset) });
  return platform.fetch(
    new Request(`http://platform/api/v1/flowise-import/file?${query}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${platform.token}` },
      body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
      duplex: "half",
    }),
  );
}

/** In two parts. */
async function upload(platform: TestPlatform, bytes: Buffer): Promise<FlowiseImport> {
  const middle = Math.floor(bytes.length / 2);
  const sizeBytes = bytes.length;
  await send(platform, bytes.subarray(0, middle), { sizeBytes });
  const answer = await send(platform, bytes.subarray(middle), { sizeBytes, offset: middle });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as FlowiseImport;
}

function begin(platform: TestPlatform, start: object): Promise<Response> {
  return platform.send("POST", "/flowise-import", start);
}

/** Begins, and waits for the end. */
async function finish(platform: TestPlatform, start: object): Promise<FlowiseImportRun> {
  await platform.json("POST", "/flowise-import", start);
  return platform.until(async () => {
    const { run } = await platform.json<FlowiseImport>("GET", "/flowise-import");
    return run === null || run.state === "running" ? undefined : run;
  });
}

async function assertRefused(answer: Promise<Response>, status: number, message: RegExp): Promise<void> {
  const response = await answer;
  const body = (await response.json()) as { message: string };
  assert.equal(response.status, status, body.message);
  assert.match(body.message, message);
}

/** A body that comes so far, and no further. */
function breaking(bytes: Buffer): ReadableStream {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new Error("the client went away"));
      isSent = true;
      controller.enqueue(new Uint8Array(bytes));
    },
  });
}

async function readExport(flowise: BuiltFlowise): Promise<Buffer> {
  const file = join(dirname(flowise.database), "ExportData.json");
  await writeFlowiseExport(flowise.contents, file);
  return readFile(file);
}

function leftIn(dataDir: string): Promise<string[]> {
  return readdir(join(dataDir, "flowise-import")).catch(() => []);
}
