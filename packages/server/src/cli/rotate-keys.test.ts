import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Credential } from "@weft/schema";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { runServerToEnd } from "../testing/platform-process.ts";
import { openProcessBench } from "../testing/process-bench.ts";
import { type CliRun, runCli } from "./testing/run-cli.ts";

const rotateKeys = (run: CliRun) => runCli("rotate-keys", run);

/** A server with a stored credential. */
async function start(t: Parameters<TestDatabases["createTestStorage"]>[0], databases: TestDatabases) {
  const { place: env, storage, start: serve } = await openProcessBench(t, databases);
  const server = await serve();
  const body = { name: "OpenAI", credentialName: "openAIApi", plainDataObj: { openAIApiKey: "sk-stored" } };
  const credential = await server.call<Credential>("POST", "/credentials", body);
  return { env, dataDir: storage.dataDir, serve, server, credential };
}

await forEachDatabase((databases) => {
  const isShared = databases.name === "postgres";

  describe("rotate-keys", () => {
    it("gives the credentials another key; a server that shares the database goes on", async (t) => {
      const { env, dataDir, serve, server, credential } = await start(t, databases);
      const path = join(dataDir, "encryption.key");
      const before = await readFile(path, "utf8");
      if (!isShared) {
        const refused = await rotateKeys({ env });
        assert.deepEqual([refused.exitCode, refused.stdout], [1, ""]);
        assert.match(refused.stderr, /^Another Weft process uses the data directory .*\n$/);
        assert.equal(await readFile(path, "utf8"), before);
        await server.kill("SIGTERM");
      }
      const stdout = "Credentials sealed with a new key: 1. Keys removed: 1.\n";
      assert.deepEqual(await rotateKeys({ env }), { exitCode: 0, stdout, stderr: "" });
      assert.notEqual(await readFile(path, "utf8"), before);
      const { call } = isShared ? server : await serve();
      assert.deepEqual(await call("GET", `/credentials/${credential.id}`), credential);
      assert.equal(credential.readable, true);
    });

    it("with --lost goes on without a key that is lost, which a start refuses to do", async (t) => {
      const { env, dataDir, serve, server, credential } = await start(t, databases);
      await server.kill("SIGTERM");
      const path = join(dataDir, "encryption.key");
      const key = await readFile(path, "utf8");
      const refusal = async () => {
        const { exitCode, stdout, stderr } = await runServerToEnd({ ...env, PORT: "0" });
        assert.deepEqual([exitCode, stdout], [1, ""]);
        assert.match(stderr, /^[^\n]* Restore the file from a backup\. [^\n]*npm run rotate-keys -- --lost[^\n]*\n$/);
        return stderr.split(". ", 1)[0];
      };
      await rm(path);
      assert.equal(await refusal(), `${path} is missing, and the 1 stored credentials are sealed with it`);
      await assert.rejects(readFile(path), { code: "ENOENT" });
      await writeFile(path, `${randomBytes(32).toString("base64")}\n`);
      assert.equal(await refusal(), `${path} does not hold the key with which the stored credentials are sealed`);

      const stdout = `Credentials are sealed with the key in encryption.key.\nNo key opens these credentials; enter their values again: ${credential.id}.\n`;
      assert.deepEqual(await rotateKeys({ args: ["--lost"], env }), { exitCode: 0, stdout, stderr: "" });
      const { call, kill } = await serve();
      const address = `/credentials/${credential.id}`;
      assert.equal((await call<Credential>("GET", address)).readable, false);
      await call("PUT", address, { plainDataObj: { openAIApiKey: "sk-again" } });
      assert.equal((await call<Credential>("GET", address)).readable, true);
      await kill("SIGTERM");
      await writeFile(path, key);
      assert.equal(await refusal(), `${path} does not hold the key with which the stored credentials are sealed`);
    });

    it("with --tokens voids every token, while the server runs", async (t) => {
      const { env, dataDir, server } = await start(t, databases);
      assert.equal((await server.send("GET", "/auth/me")).status, 200);
      const stdout = "Tokens are signed with a new key; all earlier ones are void.\n";
      assert.deepEqual(await rotateKeys({ args: ["--tokens"], env }), { exitCode: 0, stdout, stderr: "" });
      const isVoid = async () => ((await server.send("GET", "/auth/me")).status === 401 ? true : undefined);
      assert.equal(await until(isVoid), true);
      const { stdout: token } = await runCli("token", { env: { DATA_DIR: dataDir } });
      const headers = { authorization: `Bearer ${token.trim()}` };
      assert.equal((await fetch(`${server.url}/api/v1/auth/me`, { headers })).status, 200);
    });
  });

  if (!isShared) {
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
