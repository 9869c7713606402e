import assert from "node:assert/strict";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type FlowiseFile, type FlowiseSource, openFlowise } from "./index.ts";
import {
  buildFlowiseDatabase,
  type FlowiseVersion,
  flowiseId,
  writeFlowiseExport,
} from "./testing/build-flowise-database.ts";
import { makeFolder } from "./testing/test-sources.ts";

const [flow, chat, store] = [flowiseId("chat_flow", 0), flowiseId("chat", 0), flowiseId("document_store", 0)];

for (const version of ["2.x", "3.1.4"] as const) {
  test(`finds the files of stores, flows and chats of ${version}`, async (t) => {
    const { source } = await install(t, version);
    const handbook = "Invoices are paid within 30 days.\n".repeat(20);
    assert.deepEqual(await readAll(source, { store }), {
      "handbook.txt": handbook,
      "prices.csv": "article,price\nbell,12\nlock,30\n",
    });
    assert.deepEqual(await readAll(source, { flow }), { "loader.txt": "A file of the flow's loader.\n" });
    assert.deepEqual(await readAll(source, { flow, chat }), {
      "notes.txt": "Uploaded in a chat.\n",
      "picture.png": "not really a picture",
    });
    assert.deepEqual(await readAll(source, { store: flow }), {});
    assert.deepEqual(await readAll(source, { flow, chat: "+49 151 0" }), {});
  });
}

test("finds files from before organisations, and prefers the newer of two of one name", async (t) => {
  const { source, storage } = await install(t, "3.1.4");
  await mkdir(join(storage, "docustore", store), { recursive: true });
  await writeFile(join(storage, "docustore", store, "old.txt"), "old");
  await writeFile(join(storage, "docustore", store, "prices.csv"), "older prices");
  const files = await readAll(source, { store });
  assert.deepEqual(Object.keys(files), ["handbook.txt", "old.txt", "prices.csv"]);
  assert.match(files["prices.csv"] ?? "", /bell/);
});

test("finds the organisations of an export in the folder", async (t) => {
  const { contents, storage, folder } = await install(t, "3.1.4");
  await writeFlowiseExport(contents, join(folder, "ExportData.json"));
  const source = await openFlowise({ exportFile: join(folder, "ExportData.json"), storage });
  t.after(source.close);
  assert.deepEqual(Object.keys(await readAll(source, { store })), ["handbook.txt", "prices.csv"]);
});

test("leaves the folder on no way", async (t) => {
  const { source, storage, folder } = await install(t, "2.x");
  const outside = join(folder, "outside");
  await mkdir(join(outside, "inner"), { recursive: true });
  await writeFile(join(outside, "secret.txt"), "secret");
  await writeFile(join(outside, "inner", "secret.txt"), "secret");
  const own = join(storage, "docustore", store);
  await symlink(join(outside, "secret.txt"), join(own, "link.txt"));
  await symlink(outside, join(own, "folder"));
  await symlink(outside, join(storage, "docustore", "linked"));
  await symlink(outside, join(storage, "linked-flow"));
  assert.deepEqual(Object.keys(await readAll(source, { store })), ["handbook.txt", "prices.csv"]);
  for (const of of [
    { store: "linked" },
    { flow: "linked-flow" },
    { flow: "linked-flow", chat: "inner" },
    { store: "../../outside" },
    { flow: "../outside" },
    { flow: "..", chat: "outside" },
    { flow, chat: "../../outside" },
    { flow: outside },
    { flow: "." },
    { flow: "", chat: "outside" },
    { flow: "docustore\0" },
    { store: "..\\..\\outside" },
  ]) {
    assert.deepEqual(await readAll(source, of), {}, JSON.stringify(of));
  }
});

test("does not read what became a link after it was listed", async (t) => {
  const { source, storage, folder } = await install(t, "2.x");
  await mkdir(join(folder, "outside"));
  for (const name of ["handbook.txt", "prices.csv"]) await writeFile(join(folder, "outside", name), "secret");
  const own = join(storage, "docustore", store);
  const listed: FlowiseFile[] = [];
  for await (const file of source.files({ store })) listed.push(file);
  const [handbook, prices] = listed;
  await rm(join(own, "handbook.txt"));
  await symlink(join(folder, "outside", "handbook.txt"), join(own, "handbook.txt"));
  await assert.rejects(async () => handbook?.read(), { name: "FlowiseSourceError", message: /cannot be read/ });
  await rename(own, `${own}-before`);
  await symlink(join(folder, "outside"), own);
  await assert.rejects(async () => prices?.read(), { name: "FlowiseSourceError", message: /cannot be read/ });
});

test("is refused where the folder is missing or a file; without one there are no files", async (t) => {
  const { database, keyFile, folder } = await install(t, "3.1.4");
  for (const storage of [join(folder, "missing"), keyFile]) {
    await assert.rejects(openFlowise({ database, storage }), {
      name: "FlowiseSourceError",
      message: /is not a folder/,
    });
  }
  const source = await openFlowise({ database });
  t.after(source.close);
  assert.deepEqual(await readAll(source, { store }), {});
});

async function install(t: TestContext, version: FlowiseVersion) {
  const folder = await makeFolder(t);
  const built = await buildFlowiseDatabase({ folder, version });
  const source = await openFlowise({ database: built.database, storage: built.storage });
  t.after(source.close);
  return { ...built, source, folder };
}

async function readAll(
  source: FlowiseSource,
  of: Parameters<FlowiseSource["files"]>[0],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, sizeBytes, read } of source.files(of)) {
    const bytes = await read();
    assert.equal(bytes.length, sizeBytes);
    found[name] = new TextDecoder().decode(bytes);
  }
  return found;
}
