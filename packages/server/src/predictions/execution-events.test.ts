import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Frame } from "@weft/http/event-stream";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform, type TestPlatform, toolFlow } from "../testing/test-platform.ts";
import { openReader, parseFrames, readFrames } from "./testing/stream-client.ts";

const unknownId = "00000000-0000-7000-8000-000000000000";

async function open(t: TestContext, databases: TestDatabases, script: Script, env: Record<string, string> = {}) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  return openTestPlatform(t, databases, { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "test", ...env });
}

const ask = (platform: TestPlatform, agentId: string, body: object = {}) =>
  platform.send("POST", `/prediction/${agentId}`, { question: "Hi", streaming: true, ...body });

const runOf = (frames: readonly Frame[]) => frames[0]?.id.split(":")[0] ?? "";

function reconnect(platform: TestPlatform, last: Frame, headers: Record<string, string> = {}) {
  return platform.send("GET", `/executions/${runOf([last])}/events`, undefined, {
    "last-event-id": last.id,
    ...headers,
  });
}

/** Words, a tool that cannot be reached, then the answer. */
const withTool: Script = ({ messages }) =>
  messages.some(({ role }) => role === "tool")
    ? { text: "The answer, in five words." }
    : { text: "Let me look. ", toolCalls: [{ name: "get_thing", arguments: { id: "7" } }] };

await onTestDatabase((databases) => {
  describe("the stream of an execution", () => {
    it("is the prediction's, from any of its frames on, after the run has ended", async (t) => {
      const platform = await open(t, databases, withTool);
      const agentId = await agentWith(platform, toolFlow("http://127.0.0.1:9/things"));
      const frames = parseFrames(await (await ask(platform, agentId)).text());
      const stayed = readFrames(frames);
      assert.equal(stayed.text, "Let me look. The answer, in five words.");
      assert.equal(new Set(frames.map(({ id }) => id)).size, frames.length);
      assert.equal(frames[0]?.id, `${runOf(frames)}:1`);

      const whole = await platform.send("GET", `/executions/${runOf(frames)}/events`);
      assert.equal(whole.headers.get("content-type"), "text/event-stream");
      assert.deepEqual(readFrames(parseFrames(await whole.text())), stayed);
      for (const [index, last] of frames.entries()) {
        const rest = parseFrames(await (await reconnect(platform, last)).text());
        assert.deepEqual(readFrames([...frames.slice(0, index + 1), ...rest]), stayed, last.id);
        assert.equal(rest.filter(({ event }) => event === "restart").length, 0);
      }
    });

    it("gives what a model has said so far while it goes on, and voids what it will never finish", async (t) => {
      const platform = await open(t, databases, () => ({ hang: true, afterText: "one two three four" }));
      const agentId = await agentWith(platform, llmFlow());
      const stays = openReader(await ask(platform, agentId, { chatId: "chat" }));
      const had = await stays.read((frames) => frames.at(-1)?.data === " two");
      const last = had.at(-1) as Frame;
      assert.match(last.id, /\.7$/);
      const comesBack = openReader(await reconnect(platform, last));
      const said = await comesBack.read((frames) => frames.map(({ data }) => data).join("") === " three four");
      assert.deepEqual(said.at(-1)?.id, last.id.replace(/7$/, "18"));

      await platform.json("PUT", `/chatmessage/abort/${agentId}/chat`);
      const stayed = readFrames(await stays.read());
      assert.deepEqual(stayed.events.slice(-3), [
        ["agentFlowEvent", "TERMINATED"],
        ["abort", "[DONE]"],
        ["end", "[DONE]"],
      ]);
      const rest = await comesBack.read();
      assert.deepEqual(readFrames([...had, ...rest]), stayed);
      assert.deepEqual(rest.find(({ event }) => event === "restart")?.data, { keep: 0 });
      assert.equal(stayed.text, "");
    });

    it("takes the last id from the query, too, and prefers the header", async (t) => {
      const platform = await open(t, databases, () => ({ text: "Hello there." }));
      const agentId = await agentWith(platform, llmFlow());
      const frames = parseFrames(await (await ask(platform, agentId)).text());
      const [metadata, end] = frames.slice(-2) as [Frame, Frame];
      const path = `/executions/${runOf(frames)}/events`;
      const after = async (query: string, headers = {}) =>
        parseFrames(await (await platform.send("GET", `${path}${query}`, undefined, headers)).text());
      assert.deepEqual(await after(`?lastEventId=${metadata.id}`), [end]);
      assert.deepEqual(await after("?lastEventId=nonsense", { "last-event-id": metadata.id }), [end]);
      assert.deepEqual(await after("", { "last-event-id": end.id }), []);
    });

    it("refuses an id that is none of its frames, and an execution that is none", async (t) => {
      const platform = await open(t, databases, () => ({ text: "Hello." }));
      const agentId = await agentWith(platform, llmFlow());
      const frames = parseFrames(await (await ask(platform, agentId)).text());
      const run = runOf(frames);
      const status = async (lastEventId: string) => {
        const headers = { "last-event-id": lastEventId };
        const response = await platform.send("GET", `/executions/${run}/events`, undefined, headers);
        const body = (await response.json()) as { code: string; message: string };
        assert.match(body.message, /Last-Event-ID must be the id of an event in this execution's stream/);
        return response.status;
      };
      const lastSeq = Number(frames.at(-1)?.id.split(":")[1]?.split(".")[0]);
      for (const id of [
        "7",
        "",
        `${run}`,
        `${run}:`,
        `${run}:0`,
        `${run}:-1`,
        `${run}:1.`,
        `${run}:1.x`,
        `${run}:1e3`,
      ]) {
        assert.equal(await status(id), 400, id);
      }
      assert.equal(await status(`${unknownId}:1`), 400, "of another run");
      assert.equal(await status(`${run}:${lastSeq + 1}`), 400, "of an event that has not happened");
      assert.equal(await status(`${run}:1.2`), 400, "of a frame more than there are");
      assert.equal((await platform.send("GET", `/executions/${unknownId}/events`)).status, 404);
      assert.equal((await platform.send("GET", "/executions/7/events")).status, 400);
    });
  });

  describe("who may read the stream of an execution", () => {
    it("everyone who may read executions, of the chats that they reach", async (t) => {
      const platform = await open(t, databases, () => ({ text: "Hello." }));
      const agentId = await agentWith(platform, llmFlow());
      const frames = parseFrames(await (await ask(platform, agentId)).text());
      const key = async (...permissions: string[]) => {
        const body = { keyName: "Key", permissions };
        return (await platform.json<{ apiKey: string }>("POST", "/apikey", body)).apiKey;
      };
      const status = async (authorization: string) =>
        (await reconnect(platform, frames.at(-2) as Frame, { authorization })).status;
      assert.equal(await status(`Bearer ${await key("executions:read", "chats:write")}`), 200);
      assert.equal(await status(`Bearer ${await key("executions:read")}`), 404);
      assert.equal(await status(`Bearer ${await key("agents:read")}`), 403);
      assert.equal(await status("Bearer nobody"), 401);
    });

    it("a visitor of a public agent, with the agent's key where one is bound; never runs of the builder", async (t) => {
      const platform = await open(t, databases, () => ({ text: "Hello." }), { ALLOW_PUBLIC_FLOWS: "true" });
      const agentId = await agentWith(platform, llmFlow(), { isPublic: true });
      const visit = async (id: string, headers: Record<string, string> = {}) => {
        const address = `http://platform/api/v1/executions/${id}/events`;
        return (await platform.fetch(new Request(address, { headers }))).status;
      };
      const url = `http://platform/api/v1/prediction/${agentId}`;
      const headers = { "content-type": "application/json" };
      const body = '{"question":"Hi","streaming":true}';
      const asked = await platform.fetch(new Request(url, { method: "POST", headers, body }));
      const run = runOf(parseFrames(await asked.text()));
      assert.equal(await visit(run), 200);
      assert.equal(await visit(runOf(parseFrames(await (await ask(platform, agentId)).text()))), 401);
      assert.equal(await visit(unknownId), 401);
      const within = { question: "Hi", streaming: true };
      const tried = await platform.send("POST", `/internal-prediction/${agentId}`, within);
      assert.equal(await visit(runOf(parseFrames(await tried.text()))), 401);

      const { id: apikeyid, apiKey } = await platform.json<{ id: string; apiKey: string }>("POST", "/apikey", {
        keyName: "agent's",
        permissions: ["predictions:run"],
      });
      await platform.json("PUT", `/chatflows/${agentId}`, { apikeyid });
      assert.equal(await visit(run), 401);
      assert.equal(await visit(run, { "x-api-key": apiKey }), 200);
      await platform.json("PUT", `/chatflows/${agentId}`, { apikeyid: "", isPublic: false });
      assert.equal(await visit(run), 401);
    });
  });
});
