import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import type { Database } from "@weft/database";
import { createLogger } from "@weft/http/logger";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { agentWith, llmFlow, openTestPlatform } from "../../../server/src/testing/test-platform.ts";
import { createFileService, createFileSweeper } from "./file.service.ts";

const hourMs = 3_600_000;
const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function open(t: TestContext, databases: TestDatabases, env: Record<string, string> = {}) {
  const opened: Database[] = [];
  const wrapDatabase = (database: Database) => {
    opened.push(database);
    return database;
  };
  const more = { ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "0", ...env };
  const platform = await openTestPlatform(t, databases, more, { wrapDatabase });
  const [database] = opened;
  assert.ok(database);
  const attach = (agent: string, chatId: string, sizes: number[], headers: Record<string, string> = {}) =>
    sendForm(
      platform,
      `/attachments/${agent}/${chatId}`,
      sizes.map(
        (size, index) => ["files", { name: `${index}.txt`, type: "text/plain", bytes: "x".repeat(size) }] as const,
      ),
      headers,
    );
  const agent = () => agentWith(platform, llmFlow(), { isPublic: true });
  /** What the sweeper does so long from now. */
  const sweepIn = async (ms: number, executionRetentionMs = 0) => {
    const clock = { now: () => Date.now() + ms };
    const ids = { uuid: randomUUID, random: Math.random };
    const files = createFileService({ database, clock, ids, holdAgent: async () => true });
    const stop = new AbortController();
    const slept = { ...clock, elapsed: clock.now, sleep: async () => stop.abort() };
    const logger = createLogger({ level: "error", write: (line) => assert.fail(line), now: clock.now });
    const sweeper = createFileSweeper({
      files,
      clock: slept,
      logger,
      unsentFilesMs: 24 * hourMs,
      executionRetentionMs,
    });
    sweeper.start();
    while (!stop.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
    await sweeper.stop();
  };
  const countFiles = async () => (await database.read.selectFrom("files").select("id").execute()).length;
  return { platform, attach, agent, sweepIn, countFiles };
}

await onTestDatabase((databases) => {
  describe("visitors' files", () => {
    it("are limited by chat, by agent and in total, in number and bytes, and others' are not", async (t) => {
      const { platform, attach, agent, countFiles } = await open(t, databases, {
        VISITOR_FILES_CHAT: "100b/3",
        VISITOR_FILES_AGENT: "1kb/4",
        VISITOR_FILES_TOTAL: "1kb/5",
      });
      const [one, two] = [await agent(), await agent()];
      const [chat, other] = [randomUUID(), randomUUID()];
      assert.equal((await attach(one, chat, [10, 10])).status, 200);
      const many = await attach(one, chat, [10, 10]);
      const { code, message } = (await many.json()) as { code: string; message: string };
      assert.deepEqual([many.status, code], [413, "visitor-files-exceeded"]);
      assert.match(message, /This chat can hold at most 3 files and 100 bytes.*VISITOR_FILES_CHAT/);
      assert.equal(await countFiles(), 2, "all or none");
      assert.equal((await attach(one, chat, [81])).status, 413);
      assert.equal((await attach(one, other, [10, 10])).status, 200);
      assert.match(await (await attach(one, randomUUID(), [1])).text(), /This agent can hold at most 4 files/);
      assert.equal((await attach(two, randomUUID(), [1])).status, 200);
      assert.match(await (await attach(two, randomUUID(), [1])).text(), /This server can hold at most 5 files/);
      const authorization = `Bearer ${platform.token}`;
      assert.equal((await attach(one, chat, [500, 1, 1, 1, 1, 1], { authorization })).status, 200);
    });

    it("count when they come with questions, too", async (t) => {
      const { platform, agent } = await open(t, databases, { VISITOR_FILES_CHAT: "1mb/1" });
      const id = await agent();
      const chatId = randomUUID();
      const ask = (headers: Record<string, string>) =>
        platform.fetch(
          new Request(`http://platform/api/v1/prediction/${id}`, {
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
            body: JSON.stringify({
              question: "What is it?",
              chatId,
              uploads: [{ type: "file", name: "a.png", data: png }],
            }),
          }),
        );
      assert.equal((await ask({})).status, 200);
      const refused = await ask({});
      assert.deepEqual(
        [refused.status, ((await refused.json()) as { code: string }).code],
        [413, "visitor-files-exceeded"],
      );
    });

    it("of a chat that does not begin go after a day, those of a chat that began stay", async (t) => {
      const { platform, attach, agent, sweepIn, countFiles } = await open(t, databases);
      const id = await agent();
      const [begun, unsent] = [randomUUID(), randomUUID()];
      await attach(id, begun, [1, 1]);
      await attach(
        id,
        unsent,
        Array.from({ length: 15 }, () => 1),
      );
      for (let chats = 0; chats < 7; chats += 1)
        await attach(
          id,
          randomUUID(),
          Array.from({ length: 15 }, () => 1),
        );
      await platform.json("POST", `/prediction/${id}`, { question: "Hello", chatId: begun });
      await sweepIn(23 * hourMs);
      assert.equal(await countFiles(), 122);
      await sweepIn(25 * hourMs);
      assert.equal(await countFiles(), 2);
      await sweepIn(1_000 * hourMs);
      assert.equal(await countFiles(), 2);
    });

    it("go with the last run of their chat where runs are kept for a time", async (t) => {
      const { platform, attach, agent, sweepIn, countFiles } = await open(t, databases);
      const id = await agent();
      const chatId = randomUUID();
      await attach(id, chatId, [1]);
      const { executionId } = await platform.json<{ executionId: string }>("POST", `/prediction/${id}`, {
        question: "Hello",
        chatId,
      });
      await sweepIn(1_000 * hourMs, 100 * hourMs);
      assert.equal(await countFiles(), 1, "the run is there");
      await platform.json("DELETE", `/executions/${executionId}`);
      await sweepIn(99 * hourMs, 100 * hourMs);
      assert.equal(await countFiles(), 1, "not yet");
      await sweepIn(101 * hourMs, 100 * hourMs);
      assert.equal(await countFiles(), 0);
    });
  });
});
