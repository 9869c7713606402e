import assert from "node:assert/strict";
import { it } from "node:test";
import { createRunStore } from "@weft/run-host";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

const brokenId = "00000000-0000-7000-8000-000000000001";
const soundId = "00000000-0000-7000-8000-000000000002";

await onTestDatabase((databases) => {
  it("ends a run whose flow is gone, and goes on with the runs behind it", async (t) => {
    const closers: (() => Promise<void>)[] = [];
    const closeAll = async () => {
      for (const close of closers.splice(0)) await close();
    };
    t.after(closeAll);
    const storage = await databases.createTestStorage(t);
    const here = { ...databases, createTestStorage: async () => storage };
    const platform = () =>
      openTestPlatform({ after: (close) => void closers.push(close as () => Promise<void>) }, here);

    const before = await platform();
    const agentId = await agentWith(before, flowOf("direct-reply", "Reply", { message: "Here: {{ question }}" }));
    await before.json("POST", `/prediction/${agentId}`, { question: "first" });
    await closeAll();

    const database = await storage.open();
    const { agentVersionId } = await database.read
      .selectFrom("runs")
      .select("agentVersionId")
      .executeTakeFirstOrThrow();
    const store = createRunStore({ database, project: () => [] });
    const abandon = (id: string, versionId: string, at: number) => {
      const chat = { agentId, chatId: id, sessionId: id, chatType: "EXTERNAL" } as const;
      const messages = { userMessageId: id.replace("0000-7", "1111-7"), apiMessageId: id.replace("0000-7", "2222-7") };
      const started = { type: "run-started", ...chat, ...messages, flowVersionId: versionId, depth: 0 } as const;
      const events = [{ ...started, input: { question: "again" }, seq: 1, at }];
      return store.create({
        run: { ...chat, id, agentVersionId: versionId, owner: "" },
        events,
        owner: "gone",
        leaseMs: -1,
      });
    };
    await abandon(brokenId, "00000000-0000-7000-8000-00000000dead", 1_000);
    await abandon(soundId, agentVersionId, 2_000);
    await database.close();

    const after = await platform();
    const state = async (id: string) => (await after.json<{ state: string }>("GET", `/executions/${id}`)).state;
    await after.until(async () => ((await state(soundId)) === "FINISHED" ? true : undefined));
    assert.equal(await state(brokenId), "ERROR");
  });
});
