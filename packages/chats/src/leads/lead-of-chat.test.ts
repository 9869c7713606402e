import assert from "node:assert/strict";
import { test } from "node:test";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import type { ChatMessage } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform } from "../../../server/src/testing/test-platform.ts";

await onTestDatabase((databases) => {
  test("the messages of a chat have the address that its visitor left, before or after", async (t) => {
    const model = await createScriptedOpenAiServer({ script: () => ({ text: "Hello." }) });
    t.after(() => model.close());
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k", DEFAULT_MODEL: "scripted" };
    const platform = await openTestPlatform(t, databases, env);
    const chatflowid = await agentWith(platform, llmFlow());
    const other = await agentWith(platform, llmFlow());
    const ask = (chatId: string, more: object = {}, agentId = chatflowid) =>
      platform.json("POST", `/prediction/${agentId}`, { question: "Hi", chatId, ...more });
    const leave = (chatId: string, email: string) => platform.json("POST", "/leads", { chatflowid, chatId, email });
    const emails = async (chatId: string, agentId = chatflowid) => {
      const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${agentId}?chatId=${chatId}`);
      return messages.map(({ leadEmail }) => leadEmail);
    };
    await ask("one", { leadEmail: "own@example.org" });
    await ask("one");
    await ask("two");
    await ask("one", {}, other);
    await leave("one", "ada@example.org");
    const before = ["own@example.org", "own@example.org", "ada@example.org", "ada@example.org"];
    assert.deepEqual(await emails("one"), before, "those that name an address keep it");
    await leave("one", "");
    await ask("one");
    assert.deepEqual(await emails("one"), [...before, "ada@example.org", "ada@example.org"]);
    await leave("one", "grace@example.org");
    await ask("one");
    assert.deepEqual((await emails("one")).slice(-3), ["ada@example.org", "grace@example.org", "grace@example.org"]);
    assert.deepEqual(
      [await emails("two"), await emails("one", other)],
      [
        ["", ""],
        ["", ""],
      ],
    );
  });
});
