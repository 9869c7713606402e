import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Credential } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { runServerToEnd } from "../testing/platform-process.ts";
import { openProcessBench } from "../testing/process-bench.ts";
import { openRestartable } from "../testing/test-platform.ts";
import { type CliRun, callCli, runCli } from "./testing/run-cli.ts";

const rotateKeys = (run: CliRun) => callCli("rotate-keys", run);
const rotateKeysAsProcess = (run: CliRun) => runCli("rotate-keys", run);

/** A server with a stored credential. */
async function start(t: Parameters<TestDatabases["createTestStorage"]>[0], databases: TestDatabases) {
  const { storage, close: stop, open: serve } = await openRestartable(t, databases);
  const { dataDir, databaseUrl } = storage;
  const server = await serve();
  const body = { name: "OpenAI", credentialName: "openAIApi", plainDataObj: { openAIApiKey: "sk-stored" } };
  const credential = await server.json<Credential>("POST", "/credentials", body);
  return { env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, dataDir, serve, stop, server, credential };
}

const [one = "", two = ""] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));

await onTestDatabase((databases) => {
  const isShared = databases.name === "postgres";

  describe("rotate-keys", () => {
    it("gives the credentials another key; a server that shares the database goes on", async (t) => {
      const { env, dataDir, serve, stop, server, credential } = await start(t, databases);
      const path = join(dataDir, "encryption.key");
      const before = await readFile(path, "utf8");
      if (!isShared) {
        const refused = await rotateKeysAsProcess({ env });
        assert.deepEqual([refused.exitCode, refused.stdout], [1, ""]);
        assert.match(refused.stderr, /^Another Weft process uses the data directory .*\n$/);
        assert.equal(await readFile(path, "utf8"), before);
        await stop();
      }
      const stdout = "Credentials sealed with a new key: 1. Keys removed: 1.\n";
      assert.deepEqual(await rotateKeysAsProcess({ env }), { exitCode: 0, stdout, stderr: "" });
      assert.notEqual(await readFile(path, "utf8"), before);
      const { json } = isShared ? server : await serve();
      assert.deepEqual(await json("GET", `/credentials/${credential.id}`), credential);
      assert.equal(credential.readable, true);
    });

    it("with --lost goes on without a key that is lost, which a start refuses to do", async (t) => {
      const { env, dataDir, serve, stop, credential } = await start(t, databases);
      await stop();
      const path = join(dataDir, "encryption.key");
      const key = await readFile(path, "utf8");
      const refusal = async () => {
        const { exitCode, stdout, stderr } = await runServerToEnd({ ...env, PORT: "0" });
        assert.deepEqual([exitCode, stdout], [1, ""]);
        assert.match(stderr, /^[^\n]* Restore the file from a backup\. [^\n]*npm run rotate-keys -- --lost[^\n]*\n$/);
        return stderr.split(". ", 1)[0];
      };
      const refused = async (sentence: string) =>
        assert.rejects(serve(), ({ message }: Error) => message.split(". ", 1)[0] === sentence);
      await rm(path);
      assert.equal(await refusal(), `${path} is missing, and the 1 stored credentials are sealed with it`);
      await assert.rejects(readFile(path), { code: "ENOENT" });
      await writeFile(path, `${randomBytes(32).toString("base64")}\n`);
      await refused(`${path} does not hold the key with which the stored credentials are sealed`);

      const stdout = `Credentials are sealed with the key in encryption.key.\nNo key opens these credentials; enter their values again: ${credential.id}.\n`;
      assert.deepEqual(await rotateKeys({ args: ["--lost"], env }), { exitCode: 0, stdout, stderr: "" });
      const { json } = await serve();
      const address = `/credentials/${credential.id}`;
      assert.equal((await json<Credential>("GET", address)).readable, false);
      await json("PUT", address, { plainDataObj: { openAIApiKey: "sk-again" } });
      assert.equal((await json<Credential>("GET", address)).readable, true);
      await stop();
      await writeFile(path, key);
      await refused(`${path} does not hold the key with which the stored credentials are sealed`);
    });

    it("with --tokens voids every token, while the server runs", async (t) => {
      const { env, dataDir, server } = await start(t, databases);
      assert.equal((await server.send("GET", "/auth/me")).status, 200);
      const stdout = "Tokens are signed with a new key; all earlier ones are void.\n";
      assert.deepEqual(await rotateKeysAsProcess({ args: ["--tokens"], env }), { exitCode: 0, stdout, stderr: "" });
      const isVoid = async () => ((await server.send("GET", "/auth/me")).status === 401 ? true : undefined);
      assert.equal(await until(isVoid), true);
      const { stdout: token } = await callCli("token", { env: { DATA_DIR: dataDir } });
      const headers = { authorization: `Bearer ${token.trim()}` };
      assert.equal((await server.send("GET", "/auth/me", undefined, headers)).status, 200);
    });
  });

  if (isShared) {
    it("takes new keys from the environment, where those in use come from there", async (t) => {
      const { place, storage, start: serve } = await openProcessBench(t, databases);
      const env = { ...place, DATA_DIR: `${storage.dataDir}/other`, ENCRYPTION_KEY: one, JWT_KEY: one };
      const server = await serve({ ENCRYPTION_KEY: one, JWT_KEY: one });
      const body = { name: "OpenAI", credentialName: "openAIApi", plainDataObj: { openAIApiKey: "sk-stored" } };
      const { id } = await server.call<Credential>("POST", "/credentials", body);
      const refused = await rotateKeys({ env });
      assert.deepEqual([refused.exitCode, refused.stdout], [1, ""]);
      assert.match(refused.stderr, /^Everything is sealed with the last key of ENCRYPTION_KEY already\. .*\n$/);
      const sameTokens = await rotateKeys({ args: ["--tokens"], env });
      assert.match(sameTokens.stderr, /^JWT_KEY is the key in use\. Set it to a new one .*\n$/);
      for (const [name, value] of [
        ["ENCRYPTION_KEY", two],
        ["JWT_KEY", two],
        ["JWT_KEY", ""],
      ] as const) {
        const other = await runServerToEnd({ ...env, ROLE: "api", PORT: "0", [name]: value });
        assert.deepEqual([other.exitCode, other.stdout], [1, ""]);
        const sentence =
          value === ""
            ? /^\S+jwt\.key is not the key [^\n]+\.\n$/
            : new RegExp(`^${name} (does|is) not [^\\n]+\\.\\n$`);
        assert.match(other.stderr, sentence);
        assert.ok(!other.stderr.includes(one) && !other.stderr.includes(two));
      }

      const doctor = await runCli("doctor", { env: { ...env, JWT_KEY: two } });
      assert.match(doctor.stdout, /^- JWT_KEY is not the key that signs this database's tokens\. Set it to the value/m);
      assert.doesNotMatch((await runCli("doctor", { env })).stdout, /KEY/);

      const rotated = await rotateKeys({ env: { ...env, ENCRYPTION_KEY: `${one},${two}` } });
      assert.match(rotated.stdout, /^Credentials sealed with a new key: 1\. Keys removed: 1\.\nRestart every process /);
      const tokens = await rotateKeys({ args: ["--tokens"], env: { ...env, JWT_KEY: two } });
      assert.deepEqual([tokens.exitCode, tokens.stderr], [0, ""]);
      assert.match(tokens.stdout, /^Tokens are signed with the new JWT_KEY .* Restart all of them now\.\n$/);
      await server.kill("SIGTERM");
      assert.match((await runServerToEnd({ ...env, PORT: "0" })).stderr, /^JWT_KEY is not the key/);
      const restarted = await serve({ ENCRYPTION_KEY: two, JWT_KEY: two });
      assert.equal((await restarted.call<Credential>("GET", `/credentials/${id}`)).readable, true);
      const old = { authorization: `Bearer ${server.token}` };
      assert.equal((await fetch(`${restarted.url}/api/v1/auth/me`, { headers: old })).status, 401);

      await restarted.kill("SIGTERM");
      const lost = { ...env, JWT_KEY: two };
      assert.match((await runServerToEnd({ ...lost, PORT: "0" })).stderr, /^ENCRYPTION_KEY does not hold the key/);
      const { stdout } = await rotateKeys({ args: ["--lost"], env: lost });
      assert.equal(
        stdout,
        `Credentials are sealed with the last key of ENCRYPTION_KEY.\nNo key opens these credentials; enter their values again: ${id}.\n`,
      );
    });
  } else {
    it("says of a JWT_KEY on SQLite that a start is enough", async (t) => {
      const { dataDir } = await databases.createTestStorage(t);
      const { exitCode, stdout } = await rotateKeys({ args: ["--tokens"], env: { DATA_DIR: dataDir, JWT_KEY: one } });
      assert.deepEqual(
        [exitCode, stdout],
        [0, "JWT_KEY is read at the start: set it to a new key, and start the server again.\n"],
      );
    });

    it("makes no keys where there are none, and explains itself", async (t) => {
      const { dataDir } = await databases.createTestStorage(t);
      for (const [args, file] of [
        [[], "encryption.key"],
        [["--tokens"], "jwt.key"],
      ] as const) {
        const { exitCode, stdout, stderr } = await rotateKeys({ args, env: { DATA_DIR: dataDir } });
        assert.deepEqual([exitCode, stdout], [1, ""]);
        assert.match(stderr, new RegExp(`^There is no ${file} in .*\\. Set DATA_DIR .*\\.\n$`));
      }
      const help = await rotateKeys({ args: ["--help"] });
      assert.deepEqual([help.exitCode, help.stderr], [0, ""]);
      assert.match(help.stdout, /^Usage: npm run -s rotate-keys \[-- --tokens \| --lost\]\n/);
      const wrong = await rotateKeys({ args: ["everything"] });
      assert.deepEqual([wrong.exitCode, wrong.stdout], [1, ""]);
      assert.match(wrong.stderr, /^Unexpected argument 'everything'/);
    });
  }
});
