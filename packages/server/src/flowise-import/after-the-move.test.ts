import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { type BuiltFlowise, type ContentRow, flowiseId } from "@weft/flowise-source/testing";
import { listen } from "@weft/http";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import type { Assistant, ErrorBody, OpenFlows } from "@weft/schema";
import flowiseSdk from "flowise-sdk";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { scriptedModelEnv } from "../testing/scripted-model.ts";
import { openRestartable, type TestPlatform } from "../testing/test-platform.ts";
import { assistantErrorCodes } from "./assistants.ts";
import { buildFlowise, importFrom } from "./testing/bench.ts";

// A server after the move, as clients of the other one meet it.

await onTestDatabase((databases) => {
  test("an old key goes on with an old conversation, whatever its id", async (t) => {
    const { platform, flowise, model } = await move(t, databases);
    const agent = row(flowise, "chat_flow", 1);
    const key = flowise.contents.apiKeys.get(String(agent.apikeyid)) ?? "";
    const ask = (body: object, headers: Record<string, string>) =>
      platform.send("POST", `/prediction/${agent.id}`, body, headers);
    const chatId = String(row(flowise, "chat_message", 10).chatId);
    assert.match(chatId, /^\+49 151/);
    const refused = await ask({ question: "And now?", chatId }, { authorization: "Bearer nonsense" });
    assert.equal(refused.status, 401);
    const answer = await ask({ question: "And now?", chatId }, { authorization: `Bearer ${key}` });
    assert.equal(answer.status, 200, await answer.clone().text());
    const said = model.requests.at(-1)?.body.messages.map(({ content }) => content) ?? [];
    assert.deepEqual(
      said.slice(-11, -1),
      range(10, 20).map((index) => row(flowise, "chat_message", index).content),
    );
    const { length } = await platform.json<unknown[]>(
      "GET",
      `/chatmessage/${agent.id}?chatId=${encodeURIComponent(chatId)}`,
    );
    assert.equal(length, 12);
    const another = await ask({ question: "Hello", chatId: "ana@example.org" }, { authorization: `Bearer ${key}` });
    assert.equal(((await another.json()) as { chatId: string }).chatId, "ana@example.org");
  });

  test("the published SDK goes on with an old conversation: with an old key, and as a visitor", async (t) => {
    const { platform, flowise, model } = await move(t, databases, { openFlows: "public" });
    const server = await listen(platform, { host: "127.0.0.1", port: 0 });
    t.after(() => server.close({ graceMs: 0 }));
    const keyed = row(flowise, "chat_flow", 1);
    const apiKey = flowise.contents.apiKeys.get(String(keyed.apikeyid)) ?? "";
    const withKey = new flowiseSdk.FlowiseClient({ baseUrl: server.url, apiKey });
    const asVisitor = new flowiseSdk.FlowiseClient({ baseUrl: server.url });
    for (const [client, agent, first] of [
      [withKey, keyed, 10],
      [asVisitor, row(flowise, "chat_flow", 0), 0],
    ] as const) {
      const old = range(first, first + 10).map((index) => row(flowise, "chat_message", index));
      const chat = { chatflowId: String(agent.id), chatId: String(old[0]?.chatId) };
      const said = () => model.requests.at(-1)?.body.messages.map(({ content }) => content) ?? [];
      const answer = await client.createPrediction({ ...chat, question: "And now?", streaming: false });
      assert.deepEqual([answer.text, answer.chatId], ["Hello.", chat.chatId], JSON.stringify(answer));
      assert.deepEqual(said().slice(-11), [...old.map(({ content }) => content), "And now?"]);
      const frames: { event: string; data: string }[] = [];
      const stream = await client.createPrediction({ ...chat, question: "And then?", streaming: true });
      for await (const frame of stream) frames.push(frame);
      const tokens = frames.filter(({ event }) => event === "token").map(({ data }) => data);
      assert.deepEqual([tokens.join(""), frames.at(-1)?.event], ["Hello.", "end"]);
      assert.deepEqual(said().slice(-3), ["And now?", "Hello.", "And then?"]);
    }
    const refused = await asVisitor.createPrediction({
      chatflowId: String(keyed.id),
      question: "Hi",
      streaming: false,
    });
    assert.match(JSON.stringify(refused), /401|unauthori[sz]ed/i);
  });

  test("agents, chats and what belongs to them are as they were", async (t) => {
    const { platform, flowise } = await move(t, databases);
    for (const index of range(0, 12)) {
      const { flowData, name, createdDate, updatedDate, category } = row(flowise, "chat_flow", index);
      const agent = await platform.json<ContentRow>("GET", `/chatflows/${flowiseId("chat_flow", index)}`);
      assert.deepEqual(
        [agent.flowData, agent.name, agent.createdDate, agent.updatedDate, agent.category],
        [flowData, name, createdDate, updatedDate, category ?? ""],
      );
    }
    const withFollowUps = await platform.json<ContentRow>("GET", `/chatflows/${flowiseId("chat_flow", 3)}`);
    assert.match(String(withFollowUps.chatbotConfig), /"followUpPrompts":\{"status":true/);
    const speaking = await platform.json<ContentRow>("GET", `/public-chatbotConfig/${flowiseId("chat_flow", 2)}`);
    assert.equal(speaking.isTTSEnabled, true, "its column textToSpeech is a setting of the agent");
    const [first, second] = await platform.json<ContentRow[]>("GET", `/chatmessage/${flowiseId("chat_flow", 0)}`);
    assert.deepEqual([first?.role, second?.role], ["userMessage", "apiMessage"], "questions come before answers");
    const place = new URLSearchParams({ chatflowId: flowiseId("chat_flow", 0), chatId: String(first?.chatId) });
    const picture = await platform.send("GET", `/get-upload-file?${place}&fileName=picture.png`);
    assert.deepEqual([picture.status, await picture.text()], [200, "not really a picture"]);
    const { data } = await platform.json<{ data: ContentRow[] }>("GET", "/executions?page=1&limit=50");
    const states = Object.fromEntries(data.map(({ id, state }) => [id, state]));
    const stateOf = (index: number) => states[flowiseId("execution", index)];
    assert.deepEqual(range(0, 6).map(stateOf), ["FINISHED", "ERROR", "TERMINATED", "TIMEOUT", "TERMINATED", "ERROR"]);
    const execution = await platform.json<ContentRow & { steps: ContentRow[] }>(
      "GET",
      `/executions/${flowiseId("execution", 0)}`,
    );
    assert.equal(execution.executionData, row(flowise, "execution", 0).executionData);
    assert.deepEqual([execution.text, execution.steps.length], ["Result 0", 2]);
    const again = await platform.send("POST", `/executions/${flowiseId("execution", 1)}/retry`);
    assert.equal(again.status, 404, "it cannot go on");
    assert.equal((await platform.json<unknown[]>("GET", `/leads/${flowiseId("chat_flow", 0)}`)).length, 1);
    assert.equal((await platform.json<unknown[]>("GET", `/feedback/${flowiseId("chat_flow", 0)}`)).length > 0, true);
  });

  test("a schedule comes switched off, and can be switched on", async (t) => {
    const { platform, report } = await move(t, databases, { scheduled: 9 });
    assert.deepEqual(report.schedules, ["Agent 1"], "as the other server had it");
    const path = `/chatflows/${flowiseId("chat_flow", 9)}/schedule`;
    const { enabled, canEnable } = await platform.json<{ enabled: boolean; canEnable: boolean }>(
      "GET",
      `${path}/status`,
    );
    assert.deepEqual([enabled, canEnable], [false, true]);
    const on = await platform.json<{ enabled: boolean }>("PATCH", `${path}/enabled`, { enabled: true });
    assert.equal(on.enabled, true);
  });

  test("an assistant answers under its own id and under its flow's", async (t) => {
    const { platform, model } = await move(t, databases);
    for (const id of [flowiseId("assistant", 0), flowiseId("assistant flow", 0)]) {
      const answer = await platform.json<{ text: string }>("POST", `/prediction/${id}`, { question: "Hi" });
      assert.equal(answer.text, "Hello.");
      assert.match(JSON.stringify(model.requests.at(-1)?.body.messages[0]), /Answer in one sentence\./);
    }
  });

  test("what of an assistant has no counterpart stops it, under both its ids, until it is dealt with", async (t) => {
    const model = { name: "chatOther", inputs: { basepath: "https://user:pw@models.example/v1?key=k" } };
    const details = { name: "A", chatModel: model, tools: [{ name: "serpAPI", label: "Serp API", inputs: {} }] };
    const { platform } = await move(t, databases, { assistant: details });
    const id = flowiseId("assistant", 0);
    for (const asked of [id, flowiseId("assistant flow", 0)]) {
      const response = await platform.send("POST", `/prediction/${asked}`, { question: "Hi" });
      const { message } = (await response.json()) as ErrorBody;
      assert.equal(response.status, 500);
      assert.match(message, /chatOther is not known here.*at https:\/\/models\.example\/v1\..*Its tool Serp API/);
    }
    const stored = await platform.json<Assistant>("GET", `/assistants/${id}`);
    assert.deepEqual(
      stored.details.refused?.map(({ code }) => code),
      [...assistantErrorCodes],
    );
    await platform.json("PUT", `/assistants/${id}`, { details: { name: "B", provider: "openai" } });
    assert.equal((await platform.send("POST", `/prediction/${id}`, { question: "Hi" })).status, 500);
    await platform.json("PUT", `/assistants/${id}`, { details: { name: "B", refused: [] } });
    assert.equal(
      (await platform.json<{ text: string }>("POST", `/prediction/${id}`, { question: "Hi" })).text,
      "Hello.",
    );
  });

  test("the server embeds the passages, and they are found", async (t) => {
    const { platform } = await move(t, databases);
    const storeId = flowiseId("document_store", 1);
    await platform.until(async () => {
      const { status } = await platform.json<{ status: string }>("GET", `/document-store/store/${storeId}`);
      return status === "UPSERTED" ? true : undefined;
    });
    const { docs } = await platform.json<{ docs: { pageContent: string }[] }>(
      "POST",
      "/document-store/vectorstore/query",
      {
        storeId,
        query: "return article 4",
      },
    );
    assert.match(docs[0]?.pageContent ?? "", /customers may return article/);
    const chunks = await platform.json<{ count: number }>(
      "GET",
      `/document-store/chunks/${storeId}/${flowiseId("loader", 1)}/1`,
    );
    assert.equal(chunks.count, 13);
  });
});

type Move = {
  /** The agent with a schedule. */
  scheduled?: number;
  openFlows?: OpenFlows;
  /** Details of the first assistant, whose own flow cannot run then. */
  assistant?: object;
};

/** An installation, taken over, and the server on it, whose models follow a script. */
async function move(
  t: TestContext,
  databases: TestDatabases,
  { scheduled, openFlows = "closed", assistant }: Move = {},
) {
  const flowise = await buildFlowise(t);
  if (assistant !== undefined) replaceAssistant(flowise, assistant);
  if (scheduled !== undefined) schedule(flowise, scheduled);
  const model = await createScriptedOpenAiServer({ script: () => ({ text: "Hello." }) });
  t.after(() => model.close());
  const env = openFlows === "public" ? { ALLOW_PUBLIC_FLOWS: "true" } : {};
  const here = await openRestartable(t, databases, { ...scriptedModelEnv(model), ...env });
  const report = await importFrom(flowise, here.storage, { openFlows });
  const platform = await here.open();
  await useableKey(platform);
  return { platform, flowise, model, report };
}

function schedule({ database }: BuiltFlowise, agent: number): void {
  const daily = { input: "schedule", schedule: { cron: "0 9 * * *", timeZone: "Europe/Berlin" } };
  const flowData = JSON.stringify({ weft: 1, nodes: [{ id: "start_0", type: "start", config: daily }], edges: [] });
  using opened = new DatabaseSync(database);
  opened.prepare("update chat_flow set flowData = ? where id = ?").run(flowData, flowiseId("chat_flow", agent));
}

function replaceAssistant({ database }: BuiltFlowise, details: object): void {
  using opened = new DatabaseSync(database);
  const flowId = flowiseId("assistant flow", 0);
  const text = JSON.stringify({ ...details, flowId });
  opened.prepare("update assistant set details = ? where id = ?").run(text, flowiseId("assistant", 0));
  const nodes = [{ id: "csvAgent_0", data: { id: "csvAgent_0", name: "csvAgent", category: "Agents", inputs: {} } }];
  opened.prepare("update chat_flow set flowData = ? where id = ?").run(JSON.stringify({ nodes, edges: [] }), flowId);
}

/** The installation's key has letters that no header holds. */
async function useableKey(platform: TestPlatform): Promise<void> {
  const plainDataObj = { openAIApiKey: "sk-after-the-move" };
  await platform.json("PUT", `/credentials/${flowiseId("credential", 0)}`, { plainDataObj });
}

function row({ contents }: BuiltFlowise, table: string, index: number): ContentRow {
  const id = flowiseId(table, index);
  const found = [...contents.rows(table)].find((one) => one.id === id);
  assert.ok(found, `${table} ${index}`);
  return found;
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}
