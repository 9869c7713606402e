import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createPostgresDatabase, findPostgresProblem } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { type PlatformProcess, runServerToEnd, startPlatformProcess } from "../testing/platform-process.ts";
import { stopAfter } from "../testing/stop-after.ts";
import { openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";
import { callCli, runCli, startCli } from "./testing/run-cli.ts";

/** A folder for data and backups, and servers in it: as processes, or in this one. */
async function newPlace(t: TestContext) {
  const onEnd = stopAfter(t);
  const folder = await mkdtemp(join(tmpdir(), "weft-backup-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  return {
    folder,
    async start(name = "data"): Promise<PlatformProcess> {
      const server = await startPlatformProcess({ dataDir: join(folder, name) });
      onEnd(() => server.kill("SIGKILL"));
      return server;
    },
    async open(name = "data", { DATABASE_URL: databaseUrl = "", ...env }: Record<string, string> = {}) {
      const dataDir = join(folder, name);
      const here = { createTestStorage: async () => ({ databaseUrl, dataDir, open: assert.fail }) };
      const platform = await openTestPlatform({ after: (stop) => onEnd(stop as () => unknown) }, here, env);
      return { ...platform, dataDir };
    },
  };
}

/** Makes an agent and a credential. */
async function fill(call: TestPlatform["json"]) {
  const agent = await call<{ id: string }>("POST", "/chatflows", { name: "Kept", flowData: "{}" });
  const credential = await call<{ id: string }>("POST", "/credentials", {
    name: "Shop",
    credentialName: "httpBearerToken",
    plainDataObj: { token: "never-printed" },
  });
  return { agent: agent.id, credential: credential.id };
}

const rights = (path: string) => (statSync(path).mode & 0o777).toString(8);
const backup = (dataDir: string, ...args: string[]) => callCli("backup", { args, env: { DATA_DIR: dataDir } });
const restore = (dataDir: string, ...args: string[]) => callCli("restore", { args, env: { DATA_DIR: dataDir } });

describe("backup and restore with SQLite", () => {
  it("takes all there is beside a running server, and brings it back with keys that open it", async (t) => {
    const { folder, start } = await newPlace(t);
    const first = await start();
    const made = await fill(first.call);
    const target = join(folder, "backups/monday");
    const taken = await runCli("backup", { args: [target], env: { DATA_DIR: first.dataDir } });
    assert.equal(taken.stderr, "");
    assert.match(taken.stdout, /^Backup in .*monday: weft\.db, encryption\.key, jwt\.key \(\d+\.\d MB\)\.\n$/);
    assert.deepEqual((await readdir(target)).sort(), ["encryption.key", "jwt.key", "manifest.json", "weft.db"]);
    if (process.platform !== "win32") {
      assert.equal(rights(target), "700");
      for (const name of await readdir(target)) assert.equal(rights(join(target, name)), "600", name);
    }
    assert.match((await backup(first.dataDir, target)).stderr, /monday exists already\. Name a new folder/);

    const restored = join(folder, "restored");
    const done = await runCli("restore", { args: [target], env: { DATA_DIR: restored } });
    assert.equal(done.stderr, "");
    assert.match(done.stdout, /^Restored the backup of \d{4}-.* \(Weft \d+\.\d+\.\d+\) into .*restored\.\n$/);
    const second = await start("restored");
    const { data } = await second.call<{ data: { id: string }[] }>("GET", "/chatflows?page=1&limit=100");
    assert.ok(data.some(({ id }) => id === made.agent));
    // A token of before, signed with the key of the backup.
    const headers = { authorization: `Bearer ${first.token}` };
    const opened = await fetch(`${second.url}/api/v1/credentials/${made.credential}`, { headers });
    assert.equal(opened.status, 200);
    assert.equal((await callCli("doctor", { env: { DATA_DIR: restored } })).exitCode, 0);
  });

  it("leaves the keys out when asked, says so, and keeps those that are put beside the restored data", async (t) => {
    const { folder, open } = await newPlace(t);
    const server = await open();
    await fill(server.json);
    await writeFile(join(server.dataDir, "notes.txt"), "mine");
    const target = join(folder, "backup");
    const taken = await backup(server.dataDir, target, "--without-keys");
    assert.match(taken.stdout, /Not in it: encryption\.key, without which no credential can be opened again/);
    assert.match(taken.stdout, /not part of Weft: notes\.txt\.\n$/);
    assert.deepEqual((await readdir(target)).sort(), ["manifest.json", "weft.db"]);

    const restored = join(folder, "restored");
    assert.match((await restore(restored, target)).stdout, /has no encryption\.key\. Before you start the server, put/);
    await rm(restored, { recursive: true });
    await callCli("token", { env: { DATA_DIR: restored } });
    const key = await readFile(join(restored, "jwt.key"), "utf8");
    assert.equal((await restore(restored, target)).exitCode, 0);
    assert.equal(await readFile(join(restored, "jwt.key"), "utf8"), key);
  });

  it("holds no key that the environment has, and says that its value is needed", async (t) => {
    const { folder, open } = await newPlace(t);
    const key = Buffer.alloc(32, 5).toString("base64");
    const keys = { ENCRYPTION_KEY: key, JWT_KEY: key };
    const server = await open("data", keys);
    const made = await fill(server.json);
    // From before the keys came from the environment: no longer those of this database.
    await callCli("token", { env: { DATA_DIR: server.dataDir } });
    assert.ok((await readdir(server.dataDir)).includes("jwt.key"));
    const target = join(folder, "backup");
    const taken = await callCli("backup", { args: [target], env: { DATA_DIR: server.dataDir, ...keys } });
    assert.equal(taken.stderr, "");
    assert.match(
      taken.stdout,
      /: weft\.db \(.*\nNot in it, because the environment has them: ENCRYPTION_KEY, JWT_KEY\. Keep/,
    );
    assert.deepEqual((await readdir(target)).sort(), ["manifest.json", "weft.db"]);
    const DATA_DIR = join(folder, "restored");
    const done = await callCli("restore", { args: [target], env: { DATA_DIR, ...keys } });
    assert.match(
      done.stdout,
      /takes its key from ENCRYPTION_KEY, not from encryption\.key: set it to the key from the time/,
    );
    assert.doesNotMatch(`${taken.stdout}${done.stdout}`, /BQUFBQ/);
    const second = await open("restored", keys);
    const { readable } = await second.json<{ readable: boolean }>("GET", `/credentials/${made.credential}`);
    assert.equal(readable, true);
    const doctor = await callCli("doctor", { env: { DATA_DIR, ...keys } });
    assert.deepEqual([doctor.exitCode, /key/.test(doctor.stdout)], [0, false], doctor.stdout);
    const other = { ...keys, ENCRYPTION_KEY: Buffer.alloc(32, 6).toString("base64") };
    const unreadable = await callCli("doctor", { env: { DATA_DIR, ...other } });
    assert.match(
      unreadable.stdout,
      /"Shop" .* cannot be opened: ENCRYPTION_KEY does not contain .* Add the key from its/,
    );
  });

  it("refuses a running server and a folder with data; --force moves what is there aside", async (t) => {
    const { folder, open } = await newPlace(t);
    const server = await open();
    const { dataDir } = server;
    await fill(server.json);
    const target = join(folder, "backup");
    await backup(dataDir, target);
    const later = await server.json<{ id: string }>("POST", "/chatflows", { name: "Later", flowData: "{}" });
    const running = await runCli("restore", { args: [target, "--force"], env: { DATA_DIR: dataDir } });
    assert.equal(running.exitCode, 1);
    assert.match(running.stderr, /Another Weft process uses the data directory/);
    await server.close();
    const before = readFileSync(join(dataDir, "weft.db"));
    const full = await restore(dataDir, target);
    assert.equal(full.exitCode, 1);
    assert.match(full.stderr, /is not empty: it holds .*weft\.db.*--force/);
    assert.deepEqual(readFileSync(join(dataDir, "weft.db")), before);

    const forced = await restore(dataDir, target, "--force");
    assert.equal(forced.exitCode, 0, forced.stderr);
    const [aside = ""] = globSync("before-restore-*", { cwd: dataDir });
    assert.ok(forced.stdout.includes(aside) && aside !== "");
    assert.deepEqual(readFileSync(join(dataDir, aside, "weft.db")), before);
    const again = await open();
    assert.equal((await again.send("GET", `/chatflows/${later.id}`)).status, 404);
    const nextBackup = await backup(dataDir, join(folder, "next"));
    assert.doesNotMatch(nextBackup.stdout, /not part of Weft/);
  });

  it("refuses what is not whole, damaged, newer or of another database, and changes nothing then", async (t) => {
    const { folder, open } = await newPlace(t);
    const server = await open();
    const whole = join(folder, "whole");
    assert.equal((await backup(server.dataDir, whole)).exitCode, 0);
    const copy = async (name: string) => {
      await cp(whole, join(folder, name), { recursive: true });
      return join(folder, name);
    };
    const dataDir = join(folder, "restored");
    const refusal = async (target: string, env: Record<string, string> = {}) => {
      const { exitCode, stderr } = await callCli("restore", { args: [target], env: { DATA_DIR: dataDir, ...env } });
      assert.equal(exitCode, 1);
      const left = existsSync(dataDir) ? await readdir(dataDir) : [];
      assert.deepEqual(
        left.filter((name) => name !== "lock.db"),
        [],
      );
      return stderr;
    };
    const brokenOff = await copy("broken-off");
    await rm(join(brokenOff, "manifest.json"));
    assert.match(await refusal(brokenOff), /it has no manifest\.json\. An interrupted backup has none either/);
    const damaged = await copy("damaged");
    await appendFile(join(damaged, "weft.db"), "x");
    assert.match(await refusal(damaged), /The backup is damaged: weft\.db is not what the manifest says/);
    const partial = await copy("partial");
    await rm(join(partial, "encryption.key"));
    assert.match(await refusal(partial), /incomplete: encryption\.key cannot be read/);
    const newer = await copy("newer");
    const manifest = JSON.parse(await readFile(join(newer, "manifest.json"), "utf8"));
    manifest.schema.push("9999-of-the-future");
    await writeFile(join(newer, "manifest.json"), JSON.stringify(manifest));
    assert.match(await refusal(newer), /newer version of Weft \(.*9999-of-the-future\)\. Restore it with that version/);
    const DATABASE_URL = "postgres://127.0.0.1:1/none";
    assert.match(await refusal(await copy("other"), { DATABASE_URL }), /is of an SQLite database/);
  });

  it("is a whole backup or none when it is killed", async (t) => {
    const { folder, open } = await newPlace(t);
    const server = await open();
    await fill(server.json);
    const target = join(folder, "backup");
    const child = startCli("backup", { args: [target], env: { DATA_DIR: server.dataDir } });
    const exited = once(child, "exit");
    await until(async () => (globSync("backup*", { cwd: folder }).length > 0 ? true : undefined));
    child.kill("SIGKILL");
    await exited;
    assert.equal(existsSync(target), existsSync(join(target, "manifest.json")));
    assert.equal((await backup(server.dataDir, join(folder, "next"))).exitCode, 0);
  });

  it("starts no server on a folder whose restore was interrupted, and repairs it with another restore", async (t) => {
    const { folder, open } = await newPlace(t);
    const server = await open();
    const { agent } = await fill(server.json);
    const target = join(folder, "backup");
    await backup(server.dataDir, target);
    const dataDir = join(folder, "restored");
    await restore(dataDir, target);
    // As after a power cut between the keys and the database.
    await rm(join(dataDir, "weft.db"));
    writeFileSync(join(dataDir, "restore-unfinished"), "");
    const refused = await runServerToEnd({ DATA_DIR: dataDir });
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /A restore into .* was interrupted\. Run it again/);
    assert.equal((await restore(dataDir, target, "--force")).exitCode, 0);
    const again = await open("restored");
    assert.equal((await again.send("GET", `/chatflows/${agent}`)).status, 200);
  });
});

const missing = await findMissing();

describe("backup and restore with PostgreSQL", { skip: skipReason(missing) }, () => {
  it("takes the database and the keys with pg_dump, and brings both back into an empty database", async (t) => {
    const { folder, open } = await newPlace(t);
    const DATABASE_URL = await createPostgresDatabase(t);
    const tools = { PATH: process.env.PATH ?? "" };
    const first = await open("data", { DATABASE_URL });
    const made = await fill(first.json);
    const target = join(folder, "backup");
    const env = { ...tools, DATA_DIR: first.dataDir, DATABASE_URL };
    const taken = await runCli("backup", { args: [target], env });
    assert.equal(taken.stderr, "");
    assert.match(taken.stdout, /database\.dump, encryption\.key, jwt\.key/);

    const full = await callCli("restore", { args: [target], env: { ...env, DATA_DIR: join(folder, "other") } });
    assert.equal(full.exitCode, 1);
    assert.match(full.stderr, /pg_restore failed: .*already exists/s);
    assert.deepEqual(await readdir(join(folder, "other")), []);

    const empty = await createPostgresDatabase(t);
    const restored = { ...tools, DATA_DIR: join(folder, "restored"), DATABASE_URL: empty };
    assert.equal((await runCli("restore", { args: [target], env: restored })).stderr, "");
    const second = await open("restored", { DATABASE_URL: empty });
    assert.equal((await second.send("GET", `/chatflows/${made.agent}`)).status, 200);
    assert.equal((await second.send("GET", `/credentials/${made.credential}`)).status, 200);
  });

  it("says the command where pg_dump is not on the machine, and the recipe of the documentation works", async (t) => {
    const { folder, open } = await newPlace(t);
    const DATABASE_URL = await createPostgresDatabase(t);
    const server = await open("data", { DATABASE_URL });
    const { agent } = await fill(server.json);
    const target = join(folder, "keys");
    const env = { PATH: folder, DATA_DIR: server.dataDir, DATABASE_URL };
    const taken = await runCli("backup", { args: [target], env });
    assert.equal(taken.exitCode, 2);
    assert.match(taken.stderr, /not in the backup: .* Dump it with: pg_dump --dbname="\$DATABASE_URL" --format=custom/);
    assert.deepEqual((await readdir(target)).sort(), ["encryption.key", "jwt.key", "manifest.json"]);

    const [dump, restoreDump] = readRecipe();
    const empty = await createPostgresDatabase(t);
    const shell = (command: string | undefined, url: string) =>
      execFileSync("sh", ["-ec", command ?? "false"], { cwd: folder, env: { ...process.env, DATABASE_URL: url } });
    shell(dump, DATABASE_URL);
    shell(restoreDump, empty);
    const restored = { DATA_DIR: join(folder, "restored"), DATABASE_URL: empty };
    assert.match(
      (await callCli("restore", { args: [target], env: restored })).stdout,
      /The backup does not contain the database/,
    );
    const second = await open("restored", { DATABASE_URL: empty });
    assert.equal((await second.send("GET", `/chatflows/${agent}`)).status, 200);
  });
});

/** The blocks of the documentation that run PostgreSQL's tools. */
function readRecipe(): string[] {
  const text = readFileSync(new URL("../../../../docs/backup.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```sh\n(pg_.*?)^```$/gms)].map((match) => match[1] ?? "");
  assert.equal(blocks.length, 2);
  return blocks;
}

function skipReason(isThere: string | undefined): string | false {
  if (isThere === undefined) return false;
  if (process.env.TEST_POSTGRES_REQUIRED === "1") throw new Error(isThere);
  return isThere;
}

/** Undefined: PostgreSQL and its tools are there; else what is not. */
async function findMissing(): Promise<string | undefined> {
  const { status } = spawnSync("pg_dump", ["--version"]);
  return status === 0 ? findPostgresProblem() : "pg_dump is not on this machine (Debian: postgresql-client)";
}
