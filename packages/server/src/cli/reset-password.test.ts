import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { openRestartable } from "../testing/test-platform.ts";
import { type CliEnd, type CliRun, callCli, runCli } from "./testing/run-cli.ts";

const admin = { email: "admin@example.org", password: "correct horse" };
const resetPassword = (run: CliRun) => callCli("reset-password", run);

/** One sentence, no stack. */
function assertRefused({ exitCode, stdout, stderr }: CliEnd, sentence: RegExp): void {
  assert.deepEqual([exitCode, stdout], [1, ""]);
  assert.match(stderr, sentence);
  assert.doesNotMatch(stderr, /^\s+at /m);
}

/** A server with an account, and somebody who logged in. */
async function open(t: Parameters<TestDatabases["createTestStorage"]>[0], databases: TestDatabases) {
  const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
  const { storage, close: stop, open: serve } = await openRestartable(t, databases, settings);
  const server = await serve();
  const { token } = await server.json<{ token: string }>("POST", "/auth/login", admin);
  return { env: { DATA_DIR: storage.dataDir, DATABASE_URL: storage.databaseUrl }, serve, stop, server, token };
}

await onTestDatabase((databases) => {
  const isShared = databases.name === "postgres";

  describe("reset-password", () => {
    it("sets the password that is piped in, and voids every token", async (t) => {
      const { env, serve, stop, server, token } = await open(t, databases);
      if (!isShared) await stop();
      const end = await runCli("reset-password", { args: [" Admin@Example.org "], env, input: "new horse\n" });
      assert.deepEqual(end, {
        exitCode: 0,
        stdout: "The password of admin@example.org was changed; all its tokens are void.\n",
        stderr: "",
      });
      const { send } = isShared ? server : await serve();
      const me = async () => (await send("GET", "/auth/me", undefined, { authorization: `Bearer ${token}` })).status;
      assert.equal(await until(async () => ((await me()) === 401 ? 401 : undefined)), 401);
      assert.equal((await send("POST", "/auth/login", admin)).status, 401);
      assert.equal((await send("POST", "/auth/login", { ...admin, password: "new horse" })).status, 200);
    });

    it("makes up a password when none comes in", async (t) => {
      const { env, serve, stop, server } = await open(t, databases);
      if (!isShared) await stop();
      const { exitCode, stdout } = await resetPassword({ args: [admin.email], env });
      assert.equal(exitCode, 0);
      const password = /^The new password, shown this once: ([\w-]{24})$/m.exec(stdout)?.[1];
      const { send } = isShared ? server : await serve();
      assert.equal((await send("POST", "/auth/login", { ...admin, password })).status, 200);
    });

    it("changes nothing for an unknown e-mail address, a bad password or bad arguments", async (t) => {
      const { env, serve, stop, server } = await open(t, databases);
      if (!isShared) await stop();
      const args = [admin.email];
      assertRefused(
        await resetPassword({ args: ["who@example.org"], env }),
        /^No account has .* who@example\.org\.\n$/,
      );
      assertRefused(await resetPassword({ args, env, input: "short" }), /^The password must have at least 8 .*\.\n$/);
      assertRefused(await resetPassword({ args, env, input: "\n" }), /^The password must have at least 8/);
      for (const wrong of [[], ["admin"], [...args, ...args]]) {
        assertRefused(await resetPassword({ args: wrong, env }), /^Name the account by its e-mail address: .*\n$/);
      }
      assertRefused(await resetPassword({ args: ["--force", ...args], env }), /^Unknown option '--force'/);
      const { send } = isShared ? server : await serve();
      assert.equal((await send("POST", "/auth/login", admin)).status, 200);
    });

    if (!isShared) {
      it("says that a running server has the folder", async (t) => {
        const { env } = await open(t, databases);
        const end = await runCli("reset-password", { args: [admin.email], env });
        assertRefused(end, /^Another Weft process uses the data directory .* Stop that process first/);
      });

      it("makes no database where there is none, and needs none to explain itself", async (t) => {
        const { dataDir } = await databases.createTestStorage(t);
        await rm(join(dataDir, "weft.db"));
        const env = { DATA_DIR: dataDir };
        const sentence = /^There is no weft\.db in .*\. Set DATA_DIR to the data folder of the server\.\n$/;
        for (let time = 0; time < 2; time += 1) {
          assertRefused(await resetPassword({ args: [admin.email], env }), sentence);
        }
        const help = await resetPassword({ args: ["--help"], env: { PORT: "nonsense" } });
        assert.deepEqual([help.exitCode, help.stderr], [0, ""]);
        assert.match(help.stdout, /^Usage: npm run -s reset-password -- EMAIL\n/);
      });
    }

    it("says what is wrong with the configuration or the database", async () => {
      const args = [admin.email];
      assertRefused(await resetPassword({ args, env: { PORT: "nonsense" } }), /^PORT must be .*\.\n$/);
      const env = { DATABASE_URL: "postgres://nobody:hunter2@127.0.0.1:1/none" };
      const end = await resetPassword({ args, env });
      assertRefused(end, /^PostgreSQL at DATABASE_URL cannot be used: /);
      assert.doesNotMatch(end.stderr, /hunter2/);
    });
  });
});
