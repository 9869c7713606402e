import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { Client } from "pg";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { type PlatformProcess, startPlatformProcess } from "../testing/platform-process.ts";
import { openProcessBench } from "../testing/process-bench.ts";
import { stopAfter } from "../testing/stop-after.ts";

type Readiness = { status: number; message?: string; code?: string };

async function readiness({ url }: PlatformProcess): Promise<Readiness> {
  const response = await fetch(`${url}/readyz`);
  const { message, code } = (await response.json()) as { message?: string; code?: string };
  return { status: response.status, ...(message && { message }), ...(code && { code }) };
}

/** Waits for an answer of this status, and resolves with it. */
const untilReadiness = (platform: PlatformProcess, status: number) =>
  until(async () => {
    const found = await readiness(platform);
    return found.status === status ? found : undefined;
  });

await forEachDatabase((databases) => {
  if (databases.name === "sqlite") return;

  it("a server whose database hangs says that it is not ready, and is ready again when it answers", async (t) => {
    const { storage, start, onEnd } = await openProcessBench(t, databases);
    const proxy = await startProxy(storage.databaseUrl);
    onEnd(proxy.close);
    const platform = await start({ DATABASE_URL: proxy.databaseUrl });
    assert.deepEqual(await untilReadiness(platform, 200), { status: 200 });
    proxy.stall();
    const expected = {
      status: 503,
      code: "not-ready",
      message: "The server is not ready: the database does not answer.",
    };
    assert.deepEqual(await untilReadiness(platform, 503), expected);
    const askers = await Promise.all(Array.from({ length: 30 }, () => readiness(platform)));
    for (const found of askers) assert.deepEqual(found, expected);
    assert.equal((await fetch(`${platform.url}/livez`)).status, 200);
    proxy.goOn();
    await untilReadiness(platform, 200);
  });

  it("a server whose database takes no writes says so in one sentence, and goes on when it does", async (t) => {
    const { storage, start, onEnd } = await openProcessBench(t, databases);
    const { databaseUrl, dataDir } = storage;
    const admin = new Client({ connectionString: databaseUrl });
    await admin.connect();
    onEnd(() => admin.end());
    const role = `role_${dataDir.slice(-30)}`;
    await admin.query(`create role ${role} superuser login`);
    onEnd(() => admin.query(`reassign owned by ${role} to current_user; drop role ${role}`));
    const ownUrl = new URL(databaseUrl);
    ownUrl.username = role;
    const platform = await start({ DATABASE_URL: ownUrl.href.replaceAll("+", "%20") });
    const setWritable = async (isWritable: boolean) => {
      await admin.query(`alter role ${role} set default_transaction_read_only = ${!isWritable}`);
      await admin.query("select pg_terminate_backend(pid, 60000) from pg_stat_activity where usename = $1", [role]);
    };
    await setWritable(false);
    const { message = "" } = await untilReadiness(platform, 503);
    assert.match(message, /^The server is not ready: PostgreSQL takes no writes\. Make the database writable/);
    const refused = await platform.send("POST", "/variables", { name: "a", value: "1" });
    const body = (await refused.json()) as Record<string, unknown>;
    assert.deepEqual([refused.status, body.code, body.message, body.retryable], [503, "not-ready", message, undefined]);
    assert.equal((await platform.send("GET", "/variables")).status, 200);
    await setWritable(true);
    await untilReadiness(platform, 200);
    await platform.call("POST", "/variables", { name: "a", value: "1" });
  });
});

const isRoot = process.platform === "linux" && process.getuid?.() === 0;
const skip = isRoot ? false : "only root of a Linux machine may make a small disk";

it("a full disk under SQLite refuses writes, loses none that it acknowledged, and goes on when there is room", {
  skip,
}, async (t) => {
  const onEnd = stopAfter(t);
  const dataDir = mkdtempSync(join(tmpdir(), "weft-full-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m,mode=700", "none", dataDir]);
  onEnd(() => {
    execFileSync("umount", [dataDir]);
    rmSync(dataDir, { recursive: true });
  });
  const platform = await startPlatformProcess({ dataDir });
  onEnd(() => platform.kill("SIGKILL"));
  const acknowledged: string[] = [];
  const create = async (index: number) => {
    const variable = { name: `v${index}`, value: "x".repeat(20_000) };
    const response = await platform.send("POST", "/variables", variable);
    if (response.ok) acknowledged.push(variable.name);
    return response;
  };
  await create(0);
  // Fills the disk except for what a few writes take.
  const ballast = join(dataDir, "ballast");
  writeFileSync(ballast, Buffer.alloc(Number(freeBytes(dataDir)) - 1_000_000));
  const refused = await until(async () => {
    const response = await create(acknowledged.length);
    return response.ok ? undefined : response;
  });
  const body = (await refused.json()) as Record<string, unknown>;
  assert.deepEqual([refused.status, body.code], [503, "not-ready"]);
  assert.match(String(body.message), /^The server is not ready: its disk is full\. Free some space there/);
  const { message } = await untilReadiness(platform, 503);
  assert.equal(message, body.message);
  assert.equal((await platform.send("GET", "/variables")).status, 200);
  rmSync(ballast);
  await untilReadiness(platform, 200);
  assert.equal((await create(acknowledged.length)).status, 200);
  await platform.kill("SIGKILL");
  const restarted = await startPlatformProcess({ dataDir });
  onEnd(() => restarted.kill("SIGKILL"));
  const stored = new Set((await restarted.call<{ name: string }[]>("GET", "/variables")).map(({ name }) => name));
  assert.deepEqual(
    acknowledged.filter((name) => !stored.has(name)),
    [],
  );
});

/** SQLite's own page size: https://www.sqlite.org/pgszchng2016.html */
const pageBytes = 4_096;

it("a file of SQLite that is damaged takes no more writes, says so, and is replaced by its backup", async (t) => {
  const onEnd = stopAfter(t);
  const dataDir = mkdtempSync(join(tmpdir(), "weft-damaged-"));
  onEnd(() => rmSync(dataDir, { recursive: true }));
  const file = join(dataDir, "weft.db");
  const start = async () => {
    const platform = await startPlatformProcess({ dataDir });
    onEnd(() => platform.kill("SIGKILL"));
    return platform;
  };
  const before = await start();
  await before.call("POST", "/variables", { name: "long", value: "mark".repeat(5_000) });
  assert.equal(await before.kill("SIGTERM"), 0);
  const sound = readFileSync(file);
  // Every page of the long value begins with the number of the page that follows it.
  const damaged = Buffer.from(sound);
  for (let page = 0; page < sound.length; page += pageBytes) {
    if (sound.subarray(page, page + pageBytes).includes("mark".repeat(900))) damaged.fill(0x7f, page, page + 4);
  }
  writeFileSync(file, damaged);

  const hurt = await start();
  assert.deepEqual(await readiness(hurt), { status: 200 }, "nobody has met the damage");
  const told = /^The server is not ready: weft\.db in DATA_DIR is damaged\. Stop the server, .* restore a backup/;
  for (const [method, path, body] of [
    ["GET", "/variables", undefined],
    ["POST", "/variables", { name: "new", value: "1" }],
  ] as const) {
    const refused = await hurt.send(method, path, body);
    const { code, message } = (await refused.json()) as { code: string; message: string };
    assert.deepEqual([refused.status, code], [503, "not-ready"]);
    assert.match(message, told);
  }
  assert.match((await untilReadiness(hurt, 503)).message ?? "", told);
  assert.equal((await fetch(`${hurt.url}/livez`)).status, 200);
  await hurt.kill("SIGKILL");

  writeFileSync(file, "no database at all".repeat(1_000));
  const refusal = { message: /The database cannot be used: weft\.db in DATA_DIR is damaged/ };
  await assert.rejects(start(), refusal);

  for (const log of ["-wal", "-shm"]) rmSync(file + log, { force: true });
  writeFileSync(file, sound);
  const restored = await start();
  assert.equal((await restored.call<unknown[]>("GET", "/variables")).length, 1);
  await untilReadiness(restored, 200);
});

function freeBytes(folder: string): string {
  return execFileSync("df", ["--output=avail", "-B1", folder], { encoding: "utf8" }).split("\n")[1] ?? "";
}

/** The database behind an address that can stop to pass anything on, in both directions, without closing. */
async function startProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("data", (bytes) => to.write(bytes));
    from.on("close", () => to.destroy());
    from.on("error", () => to.destroy());
    if (isStalled) from.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5_432), target.hostname);
    pass(client, upstream);
    pass(upstream, client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const ownUrl = new URL(databaseUrl);
  ownUrl.host = `127.0.0.1:${port}`;
  return {
    databaseUrl: ownUrl.href.replaceAll("+", "%20"),
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
