import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a process that computes without end goes soon after the one that started it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "weft-database-process-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const shop = new DatabaseSync(join(folder, "shop.db"));
  shop.exec("create table t (a integer)");
  shop.close();
  const file = join(folder, "starter.mts");
  await writeFile(file, starter(folder));
  const parent = fork(file, { stdio: "ignore", execArgv: [] });
  t.after(() => parent.kill("SIGKILL"));
  const [pid] = (await once(parent, "message")) as [number];
  assert.ok(isAlive(pid));
  parent.kill("SIGKILL");
  for (let waitedMs = 0; isAlive(pid) && waitedMs < 30_000; waitedMs += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.ok(!isAlive(pid));
});

/** Asks for a statement without end, and tells which process it started half a second later. */
const starter = (filesDir: string) => `
import { readdirSync, readFileSync } from "node:fs";
import { createSqlClient } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
const client = createSqlClient({ filesDir: ${JSON.stringify(filesDir)} });
const statement = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as n from n";
void client.run({ database: { engine: "sqlite", file: "shop.db" }, statement, parameters: [], access: "read",
  maxRows: 1, maxBytes: 1000, timeoutMs: 60000, signal: new AbortController().signal });
const statusOf = (pid) => { try { return readFileSync("/proc/" + pid + "/status", "utf8"); } catch { return ""; } };
const look = setInterval(() => {
  const child = readdirSync("/proc").find((pid) => /^\\d+$/.test(pid) && statusOf(pid).includes("PPid:\\t" + process.pid + "\\n"));
  if (child === undefined) return;
  clearInterval(look);
  setTimeout(() => process.send(Number(child)), 1500);
}, 50);
`;
