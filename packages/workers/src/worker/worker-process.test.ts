import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createWorkerClient } from "./worker-client.ts";

type Request = "tell" | "numbers" | "id" | "environment" | "wait" | "fail" | "die" | "late" | "spin";

const program = `import { serveWorker } from ${JSON.stringify(new URL("./serve-worker.ts", import.meta.url).href)};
import { WeftError } from ${JSON.stringify(import.meta.resolve("@weft/schema"))};
const served = serveWorker(async (request) => {
  if (request === "tell") served.tell("half of it");
  if (request === "tell") throw new WeftError("vector-store-failed", { message: "Not yet", retryable: true });
  if (request === "numbers") return Float32Array.of(0.5, 2);
  if (request === "id") return process.pid;
  if (request === "environment") return { ...process.env };
  if (request === "fail") throw new Error("no such thing");
  if (request === "late") return new Promise((resolve) => setTimeout(resolve, 1_500, "late"));
  while (request === "spin");
  if (request === "die") process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
});`;
const signal = new AbortController().signal;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a worker may be a process, whose crash fails its requests alone and which ends with its client", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "weft-worker-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "worker.mts");
  writeFileSync(file, program);
  const url = pathToFileURL(file);
  const notes: string[] = [];
  const client = createWorkerClient<Request, unknown, string>({
    url,
    idleMs: 10_000,
    answerMs: 20_000,
    isProcess: () => true,
    onNote: (note) => notes.push(note),
  });
  t.after(client.close);
  assert.deepEqual(await client.ask("numbers", { signal }), Float32Array.of(0.5, 2));
  const id = Number(await client.ask("id", { signal }));
  assert.notEqual(id, process.pid);
  await assert.rejects(client.ask("fail", { signal }), /no such thing/);
  const notYet = { code: "vector-store-failed", message: "Not yet", retryable: true };
  await assert.rejects(client.ask("tell", { signal }), notYet);
  assert.deepEqual(notes, ["half of it"]);
  const abandoned = new AbortController();
  const waiting = client.ask("wait", { signal: abandoned.signal });
  abandoned.abort(new Error("cancelled"));
  await assert.rejects(waiting, /cancelled/);
  const other = assert.rejects(client.ask("wait", { signal }), { name: "WorkerEnded" });
  await assert.rejects(client.ask("die", { signal }), { name: "WorkerEnded" });
  await other;
  const next = Number(await client.ask("id", { signal }));
  assert.notEqual(next, id);
  await client.close();
  assert.equal(isAlive(next), false);
  await assert.rejects(client.ask("id", { signal }), { name: "WorkerEnded" });
});

test("a thread may compute for so long, and wait for longer", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "weft-worker-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "worker.mts");
  writeFileSync(file, program);
  const client = createWorkerClient<Request, unknown>({ url: pathToFileURL(file), idleMs: 10_000, computeMs: 1_000 });
  t.after(client.close);
  assert.equal(await client.ask("late", { signal }), "late");
  await assert.rejects(client.ask("spin", { signal }), /computed for longer than 1000 ms/);
  assert.deepEqual(await client.ask("numbers", { signal }), Float32Array.of(0.5, 2));
});

for (const kind of ["thread", "process"] as const) {
  test(`a ${kind} gets nothing of the environment`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "weft-worker-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "worker.mts"), program);
    process.env.PLANTED_SECRET = "hunter2";
    t.after(() => void delete process.env.PLANTED_SECRET);
    const client = createWorkerClient<Request, unknown>({
      url: pathToFileURL(join(folder, "worker.mts")),
      idleMs: 10_000,
      answerMs: 20_000,
      isProcess: () => kind === "process",
    });
    t.after(client.close);
    const names = Object.keys((await client.ask("environment", { signal })) as object);
    // Compiled code of a process without rights is never run by this one.
    const known = kind === "thread" ? ["NODE_COMPILE_CACHE"] : ["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"];
    assert.deepEqual(
      names.filter((name) => !known.includes(name)),
      [],
    );
  });
}
