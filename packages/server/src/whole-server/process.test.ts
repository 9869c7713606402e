import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { countingFlow, countingScript } from "../testing/counting-api.ts";
import { runServerToEnd, type ServerEnd } from "../testing/platform-process.ts";
import { openProcessBench } from "../testing/process-bench.ts";

/** A port that another program has. */
async function takePort(t: TestContext): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return String((server.address() as { port: number }).port);
}

/** The operator is told what to mend, in whole sentences and nothing else. */
function assertRefused({ exitCode, stdout, stderr }: ServerEnd, sentences: readonly RegExp[]): void {
  const lines = stderr.trimEnd().split("\n");
  assert.equal(lines.length, sentences.length, stderr);
  for (const [index, line] of lines.entries()) assert.match(line, sentences[index] ?? /^$/);
  assert.equal(exitCode, 1);
  assert.equal(stdout, "");
}

await forEachDatabase((databases) => {
  const { name, createTestStorage } = databases;
  describe("the process", () => {
    it("stops on SIGTERM while a tool runs, with status 0; the next one finishes the run", async (t) => {
      const { startApi, startModel, start } = await openProcessBench(t, databases);
      const api = await startApi();
      await startModel(countingScript("slow_read"));
      const first = await start();
      const flowData = countingFlow(api);
      const { id } = await first.call<{ id: string }>("POST", "/chatflows", { name: "slow", flowData });
      const asked = first.send("POST", `/prediction/${id}`, { question: "Go", chatId: "chat" });
      await api.reached;
      // The tool is still waiting: the process does not wait for it.
      assert.equal(await first.kill("SIGTERM"), 0);
      const told = await asked;
      assert.equal(told.status, 503);
      const { code, retryable, events } = (await told.json()) as { code: string; retryable: boolean; events: string };
      assert.deepEqual([code, retryable], ["run-goes-on", false]);
      api.release();

      const second = await start();
      const messages = await until(async () => {
        const list = await second.call<{ content: string }[]>("GET", `/chatmessage/${id}?chatId=chat`);
        return list.length === 2 ? list : undefined;
      });
      assert.match(messages[1]?.content ?? "", /^Finished: .*slow-read/);
      const followed = await second.send("GET", events.replace("/api/v1", ""));
      assert.match(await followed.text(), /Finished: /);
      assert.equal(api.counts.get("/quick"), 1);
    });

    it("says that its port is in use, and ends with status 1", async (t) => {
      const { databaseUrl, dataDir } = await createTestStorage(t);
      const PORT = await takePort(t);
      const end = await runServerToEnd({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT });
      assertRefused(end, [new RegExp(`^Port ${PORT} is in use\\. .+\\.$`)]);
    });

    for (const file of ["jwt.key", "encryption.key"]) {
      it(`says that ${file} is damaged, and ends with status 1`, async (t) => {
        const { databaseUrl, dataDir } = await createTestStorage(t);
        await mkdir(dataDir, { recursive: true });
        await writeFile(join(dataDir, file), "damaged\n");
        const end = await runServerToEnd({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: "0" });
        assertRefused(end, [new RegExp(`^\\S+${file} holds .+\\.$`)]);
        assert.equal(await readFile(join(dataDir, file), "utf8"), "damaged\n");
      });
    }

    it("says that its data directory cannot be used, and ends with status 1", async (t) => {
      const { databaseUrl, dataDir } = await createTestStorage(t);
      await mkdir(dataDir, { recursive: true });
      const DATA_DIR = join(dataDir, "file");
      await writeFile(DATA_DIR, "");
      const end = await runServerToEnd({ DATABASE_URL: databaseUrl, DATA_DIR, PORT: "0" });
      assertRefused(end, [/^The data directory \S+ cannot be used: a file is in its place\. .+\.$/]);
    });

    it("serves without its event API when that port is in use, and logs it", async (t) => {
      const { start } = await openProcessBench(t, databases);
      const EVENT_API_PORT = await takePort(t);
      const platform = await start({ EVENT_API: "true", EVENT_API_PORT, LOG_LEVEL: "warn" });
      assert.equal((await platform.call<unknown[]>("GET", "/chatflows")).length, 2);
      const line = await until(() => platform.output().match(/^.*event-api-not-started.*$/m)?.[0]);
      const { level, port } = JSON.parse(line);
      assert.deepEqual([level, port], ["warn", Number(EVENT_API_PORT)]);
      assert.equal(await platform.kill("SIGTERM"), 0);
    });

    it("lets the configured account log in", async (t) => {
      const { start } = await openProcessBench(t, databases);
      const admin = { email: "admin@example.com", password: "correct horse" };
      const platform = await start({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
      const session = await platform.call<{ token: string }>("POST", "/auth/login", admin);
      const headers = { authorization: `Bearer ${session.token}` };
      assert.equal((await fetch(`${platform.url}/api/v1/chatflows`, { headers })).status, 200);
      const wrong = await platform.send("POST", "/auth/login", { ...admin, password: "wrong horse" });
      assert.equal(wrong.status, 401);
      assert.doesNotMatch(platform.output(), /auth\/setup/);
    });

    it("prints a token that creates the first account, once", async (t) => {
      const { start } = await openProcessBench(t, databases);
      const first = await start();
      const token = await until(() => /"token":"([^"]+)"/.exec(first.output())?.[1]);
      const account = { email: "me@example.com", password: "correct horse" };
      const setUp = async (body: object) => (await first.send("POST", "/auth/setup", body)).status;
      assert.equal(await setUp({ ...account, token: "guessed" }), 401);
      assert.equal(await setUp({ ...account, token }), 200);
      assert.equal(await setUp({ ...account, token, email: "other@example.com" }), 409);
      assert.equal((await first.send("POST", "/auth/login", account)).status, 200);
      await first.kill("SIGTERM");
      const second = await start();
      assert.equal((await second.send("POST", "/auth/login", account)).status, 200);
      await second.kill("SIGTERM");
      assert.equal(second.output(), "");
    });

    if (name === "sqlite") {
      it("refuses a data directory that another process uses", async (t) => {
        const { place, start } = await openProcessBench(t, databases);
        const first = await start();
        const end = await runServerToEnd({ DATA_DIR: place.DATA_DIR, PORT: "0" });
        assertRefused(end, [/^Another Weft process uses the data directory .+\.$/]);
        await first.call("GET", "/chatflows");
      });
    }
  });
});

describe("a process that is configured wrongly", () => {
  it("names every mistake in a sentence, without its value", async () => {
    const end = await runServerToEnd({
      PORT: "eighty",
      DATABASE_URL: "mysql://user:hunter22@host/db",
      ADMIN_EMAIL: "admin@example.com",
      LOG_LEVEL: "loud",
    });
    assertRefused(end, [
      /^PORT must be a whole number .+\.$/,
      /^DATABASE_URL must be an address .+\.$/,
      /^LOG_LEVEL must be one of .+\.$/,
      /^ADMIN_EMAIL and ADMIN_PASSWORD must be set together, or neither\.$/,
    ]);
    assert.doesNotMatch(end.stderr, /eighty|hunter22|loud/);
  });

  it("says when PostgreSQL does not answer, without the password", async () => {
    const closed = "postgres://weft:hunter22@127.0.0.1:1/weft";
    const end = await runServerToEnd({ DATABASE_URL: closed, PORT: "0" });
    assertRefused(end, [/^PostgreSQL at DATABASE_URL cannot be used: .+\.$/]);
    assert.doesNotMatch(end.stderr, /hunter22/);
  });
});
