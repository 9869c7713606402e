import assert from "node:assert/strict";
import { test } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, llmFlow } from "../testing/test-platform.ts";

type Answer = { chatId: string; sessionId: string; text: string; action?: object };

/** Asks a person, and says what the answer was. */
const askingFlow = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start", label: "Start" },
    { id: "ask", type: "human-input", label: "Ask", config: { question: "May I?" } },
    { id: "reply", type: "direct-reply", label: "Reply", config: { message: "Done" } },
  ],
  edges: [
    { id: "a", source: "start_0", target: "ask" },
    { id: "b", source: "ask", sourcePort: "proceed", target: "reply" },
  ],
});

await onTestDatabase((databases) => {
  test("a session without a chat is the chat of that name, and a wait there is answered by it", async (t) => {
    const platform = await openScriptedPlatform(t, databases);
    const id = await agentWith(platform, llmFlow());
    const overrideConfig = { sessionId: "s" };
    for (const question of ["One", "Two"]) {
      const { chatId, sessionId } = await platform.ask<Answer>(id, { question, overrideConfig });
      assert.deepEqual([chatId, sessionId], ["s", "s"]);
    }
    const named = await platform.ask<Answer>(id, { question: "Three", chatId: "c", overrideConfig });
    assert.deepEqual([named.chatId, named.sessionId], ["c", "s"]);
    const asking = await agentWith(platform, askingFlow);
    const asked = await platform.ask<Answer>(asking, { question: "Go", overrideConfig });
    assert.ok(asked.action);
    const done = await platform.ask<Answer>(asking, { question: "", humanInput: { type: "proceed" }, overrideConfig });
    assert.deepEqual([done.chatId, done.text], ["s", "Done"]);
  });

  test("an empty question beside a form is none, and alone it stays refused or asked as before", async (t) => {
    const platform = await openScriptedPlatform(t, databases);
    const id = await agentWith(platform, llmFlow());
    const form = { name: "Ada" };
    assert.equal((await platform.send("POST", `/prediction/${id}`, { question: "", form })).status, 200);
    assert.equal((await platform.send("POST", `/prediction/${id}`, { question: "Hello", form })).status, 422);
    assert.equal((await platform.send("POST", `/prediction/${id}`, {})).status, 422);
  });

  test("the description of the event API is its text, with the port that is served", async (t) => {
    const platform = await openScriptedPlatform(t, databases);
    const response = await platform.fetch(
      new Request("http://platform/event-api.yaml", { headers: { authorization: `Bearer ${platform.token}` } }),
    );
    assert.match(response.headers.get("content-type") ?? "", /^application\/yaml/);
    assert.match(await response.text(), /^openapi: 3\.0\.0\n.*http:\/\/localhost:5566\n/s);
  });

  test("a date alone ends with its day", async (t) => {
    const platform = await openScriptedPlatform(t, databases);
    const id = await agentWith(platform, llmFlow());
    await platform.ask(id, { question: "Hello" });
    const [message] = await platform.json<{ createdDate: string }[]>("GET", `/chatmessage/${id}`);
    const day = message?.createdDate.slice(0, 10);
    const count = async (query: string) => (await platform.json<object[]>("GET", `/chatmessage/${id}?${query}`)).length;
    assert.equal(await count(`startDate=${day}&endDate=${day}`), 2);
    assert.equal(await count(`endDate=${day}T00:00:00Z`), 0, "a moment is that moment");
    assert.equal(await count("endDate=2020-01-01"), 0);
    assert.equal((await platform.send("GET", `/feedback/${id}?endDate=${day}`)).status, 200);
    assert.equal((await platform.send("GET", `/upsert-history/${id}?endDate=${day}`)).status, 200);
  });
});
