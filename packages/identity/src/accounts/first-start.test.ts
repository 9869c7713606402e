import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { startPlatformProcess } from "../../../server/src/testing/platform-process.ts";
import { stopAfter } from "../../../server/src/testing/stop-after.ts";

await forEachDatabase(({ createTestStorage }) => {
  describe("the first start", () => {
    it("has no default secret, and shows its set-up token once", async (t) => {
      const onEnd = stopAfter(t);
      const tokens: string[] = [];
      const keys: string[] = [];
      for (let installation = 0; installation < 2; installation += 1) {
        const { databaseUrl, dataDir } = await createTestStorage(t);
        const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: "debug" };
        const server = await startPlatformProcess({ env, dataDir });
        onEnd(() => server.kill("SIGKILL"));
        const token = await until(() => /"token":"([^"]+)"/.exec(server.output())?.[1]);
        const setUp = (given: string) =>
          server.send("POST", "/auth/setup", { token: given, email: "a@example.org", password: "correct horse" });
        for (const guess of ["setup", "secret", tokens[0] ?? "token"]) assert.equal((await setUp(guess)).status, 401);
        assert.equal((await setUp(token)).status, 200);
        await server.kill("SIGTERM");
        const logged = server
          .output()
          .split("\n")
          .filter((line) => line.startsWith("{"));
        assert.ok(logged.some((line) => line.includes("/auth/setup")));
        const showing = logged.filter((line) => line.includes(token));
        assert.deepEqual(
          showing.map((line) => JSON.parse(line).event),
          ["setup-address-made"],
        );
        tokens.push(token);
        for (const name of ["jwt.key", "encryption.key"]) {
          keys.push(await readFile(join(dataDir, name), "utf8"));
          assert.equal((await stat(join(dataDir, name))).mode & 0o777, 0o600, name);
        }
      }
      assert.equal(new Set([...tokens, ...keys]).size, 6);
      for (const token of tokens) assert.match(token, /^[\w-]{32}$/);
    });
  });
});
