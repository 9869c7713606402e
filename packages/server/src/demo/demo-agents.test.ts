import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it, type TestContext } from "node:test";
import { createEventApi, type Event, seedEvents } from "@weft/event-api";
import { type ChatCompletionRequest, createScriptedOpenAiServer, type ScriptStep } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { startPlatformProcess } from "../testing/platform-process.ts";
import { stopAfter } from "../testing/stop-after.ts";
import { openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const label = "[rehearsal model: rules, not an AI] ";
const party = { name: "Launch party", date: "2026-12-01T18:00:00Z", location: "Berlin" };

type UsedTool = { tool: string; toolInput: unknown; toolOutput: string; error?: string };
type Answer = { text: string; usedTools: UsedTool[] };
type Ask = (question: string, chatId?: string) => Promise<Answer>;

/** The event API in this process, and its store as a client sees it. */
async function startEventApi(t: TestContext) {
  const { server } = createEventApi();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as { port: number };
  const list = async () => (await (await fetch(`http://127.0.0.1:${port}/events`)).json()) as Event[];
  return { port, list, find: async (id: string) => (await list()).find((event) => event.id === id) };
}

type EventApi = Awaited<ReturnType<typeof startEventApi>>;

async function open(t: TestContext, databases: TestDatabases, env: Record<string, string> = {}) {
  const events = await startEventApi(t);
  const platform = await openTestPlatform(t, databases, {
    EVENT_API: "true",
    EVENT_API_PORT: String(events.port),
    ...env,
  });
  return { events, platform };
}

async function findAgent(platform: TestPlatform, name: string): Promise<string> {
  const agents = await platform.json<{ id: string; name: string }[]>("GET", "/chatflows");
  const agent = agents.find((candidate) => candidate.name.includes(name));
  assert.ok(agent, `The agent ${name} is there.`);
  return agent.id;
}

/** Asks an agent, as JSON or as a stream whose frames are put together. */
function asker(platform: TestPlatform, agentId: string, streaming: boolean): Ask {
  return async (question, chatId) => {
    const body = { question, streaming, ...(chatId === undefined ? {} : { chatId }) };
    if (!streaming) return platform.json<Answer>("POST", `/prediction/${agentId}`, body);
    const response = await platform.send("POST", `/prediction/${agentId}`, body);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const frames = Array.from((await response.text()).matchAll(/^data:(.*)$/gm), ([, data]) => JSON.parse(data ?? ""));
    assert.deepEqual(frames.at(-1), { event: "end", data: "[DONE]" });
    assert.ok(frames.some(({ event, data }) => event === "agentFlowEvent" && data === "FINISHED"));
    const tokens = frames.filter(({ event }) => event === "token").map(({ data }) => data);
    return { text: tokens.join(""), usedTools: frames.findLast(({ event }) => event === "usedTools")?.data ?? [] };
  };
}

/** The five typical requests, each checked at the event API. `begins`: how each answer begins. */
async function askAll(ask: Ask, events: EventApi, begins: string): Promise<void> {
  const answer = async (question: string) => {
    const { text, usedTools } = await ask(question);
    assert.ok(text.startsWith(begins), text);
    assert.ok(usedTools.length > 0, question);
    assert.deepEqual(
      usedTools.filter(({ error }) => error !== undefined),
      [],
    );
    return text;
  };
  const listed = await answer("List all events");
  for (const { name } of seedEvents) assert.ok(listed.includes(name), listed);
  const fetched = await answer("Show me the event with id 3");
  assert.match(fetched, /Jazz by the River/);
  assert.doesNotMatch(fetched, /Robotics/);
  assert.deepEqual(await events.list(), seedEvents);

  await answer(`Create an event named "${party.name}" on ${party.date} in ${party.location}`);
  const created = (await events.list()).at(-1);
  assert.deepEqual(created, { id: created?.id, ...party });
  await answer('Change the location of event 1 to "Lisbon"');
  assert.deepEqual(await events.find("1"), { ...seedEvents[0], location: "Lisbon" });
  await answer("Delete the event with id 2");
  assert.equal(await events.find("2"), undefined);
  assert.equal((await events.list()).length, seedEvents.length);
}

const agents = {
  "request integrations": {
    tools: {
      get_events: [{ id: "string", limit: "string" }, []],
      create_event: [{ name: "string", date: "string", location: "string" }, ["name", "date", "location"]],
      update_event: [
        { id: "string", name: "string", date: "string", location: "string" },
        ["id", "name", "date", "location"],
      ],
      delete_event: [{ id: "string" }, ["id"]],
    },
    calls: {
      list: "get_events",
      fetch: "get_events",
      create: "create_event",
      update: "update_event",
      remove: "delete_event",
    },
  },
  "OpenAPI toolkit": {
    tools: {
      listEvents: [{}, []],
      createEvent: [{ name: "string", date: "string", location: "string" }, ["name", "date", "location"]],
      getEventById: [{ id: "string" }, ["id"]],
      updateEventDetails: [
        { id: "string", name: "string", date: "string", location: "string" },
        ["id", "name", "date", "location"],
      ],
      deleteEvent: [{ id: "string" }, ["id"]],
    },
    calls: {
      list: "listEvents",
      fetch: "getEventById",
      create: "createEvent",
      update: "updateEventDetails",
      remove: "deleteEvent",
    },
  },
} as const;

type Calls = (typeof agents)[keyof typeof agents]["calls"];

/** The model as a vendor would be: the right call for each request, then an answer with the tool's result. */
function script(calls: Calls) {
  return ({ messages }: ChatCompletionRequest): ScriptStep => {
    const last = messages.at(-1);
    if (last?.role === "tool") return { text: `The API says: ${String(last.content)}` };
    const question = String(last?.content);
    const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });
    if (question.startsWith("List")) return call(calls.list, {});
    if (question.startsWith("Show")) return call(calls.fetch, { id: "3" });
    if (question.startsWith("Create")) return call(calls.create, party);
    if (question.startsWith("Delete")) return call(calls.remove, { id: "2" });
    return call(calls.update, { ...seedEvents[0], location: "Lisbon" });
  };
}

/** What the model was given: the tools as the agent describes them, and the system prompt with today's date. */
function assertOffered(request: ChatCompletionRequest, tools: Record<string, unknown>): void {
  const offered = (request.tools ?? []).map(({ type, function: { name, description, parameters } }) => {
    assert.equal(type, "function");
    assert.ok(description && description.length > 10, name);
    const schema = parameters as { type: string; properties: Record<string, Property>; required?: string[] };
    assert.equal(schema.type, "object");
    for (const property of Object.values(schema.properties)) assert.ok(property.description);
    const types = Object.fromEntries(Object.entries(schema.properties).map(([key, property]) => [key, property.type]));
    return [name, [types, schema.required ?? []]];
  });
  assert.deepEqual(Object.fromEntries(offered), tools);
  const [system] = request.messages;
  assert.equal(system?.role, "system");
  assert.doesNotMatch(String(system?.content), /\{\{/);
  const [now = ""] = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.exec(String(system?.content)) ?? [];
  assert.equal(now.slice(0, 4), new Date().toISOString().slice(0, 4));
}

type Property = { type: string; description?: string };

/** The result that the model was given after its call, under the call's id. */
function toolResult({ messages }: ChatCompletionRequest): string {
  const [call, result] = messages.slice(-2);
  assert.equal(result?.role, "tool");
  assert.deepEqual(
    call?.tool_calls?.map((made) => (made as { id: string }).id),
    [result?.tool_call_id],
  );
  return String(result?.content);
}

await onTestDatabase((databases) => {
  for (const [name, { tools, calls }] of Object.entries(agents)) {
    for (const streaming of [false, true]) {
      describe(`the demonstration agent with ${name}, ${streaming ? "streaming" : "as JSON"}`, () => {
        it("does the five typical requests with the rehearsal model", async (t) => {
          const { events, platform } = await open(t, databases);
          await askAll(asker(platform, await findAgent(platform, name), streaming), events, label);
        });

        it("knows in a conversation what was spoken of", async (t) => {
          const { events, platform } = await open(t, databases);
          const ask = asker(platform, await findAgent(platform, name), streaming);
          assert.match((await ask("Show me the event with id 3", "demo")).text, /Jazz by the River/);
          const other = await ask("Delete it", "another");
          assert.ok(other.text.startsWith(label));
          assert.deepEqual(await events.list(), seedEvents);
          await ask("Delete it", "demo");
          assert.deepEqual(
            await events.list(),
            seedEvents.filter(({ id }) => id !== "3"),
          );
        });

        it("does the five typical requests with an OpenAI-compatible model", async (t) => {
          const model = await createScriptedOpenAiServer({ script: script(calls) });
          t.after(() => model.close());
          const { events, platform } = await open(t, databases, { OPENAI_BASE_URL: model.url });
          await askAll(asker(platform, await findAgent(platform, name), streaming), events, "The API says: ");
          const requests = model.requests.map(({ body }) => body);
          assert.equal(requests.length, 10);
          for (const request of requests) assertOffered(request, tools);
          const results = requests.filter(({ messages }) => messages.at(-1)?.role === "tool").map(toolResult);
          assert.deepEqual(JSON.parse(results[0] ?? ""), seedEvents);
          assert.deepEqual(JSON.parse(results[1] ?? ""), seedEvents[2]);
          assert.match(results[2] ?? "", /Launch party/);
          assert.match(results[3] ?? "", /Lisbon/);
        });
      });
    }
  }

  describe("seeding", () => {
    it("happens once: a deleted agent stays deleted", async (t) => {
      const onEnd = stopAfter(t);
      const { databaseUrl, dataDir } = await databases.createTestStorage(t);
      const { port } = await startEventApi(t);
      const env = { DATABASE_URL: databaseUrl, EVENT_API: "true", EVENT_API_PORT: String(port) };
      const first = await startPlatformProcess({ env, dataDir });
      onEnd(() => first.kill("SIGKILL"));
      const seeded = await first.call<{ id: string }[]>("GET", "/chatflows");
      assert.equal(seeded.length, 2);
      await first.call("DELETE", `/chatflows/${seeded[0]?.id}`);
      await first.kill("SIGTERM");
      const second = await startPlatformProcess({ env, dataDir });
      onEnd(() => second.kill("SIGKILL"));
      const left = await second.call<{ id: string }[]>("GET", "/chatflows");
      assert.deepEqual(left, [seeded[1]]);
    });

    it("leaves a database alone that has agents", async (t) => {
      const onEnd = stopAfter(t);
      const { databaseUrl, dataDir } = await databases.createTestStorage(t);
      const { port } = await startEventApi(t);
      const env = { DATABASE_URL: databaseUrl, EVENT_API_PORT: String(port) };
      const first = await startPlatformProcess({ env, dataDir });
      onEnd(() => first.kill("SIGKILL"));
      const own = await first.call<{ id: string }>("POST", "/chatflows", { name: "Mine", flowData: "{}" });
      await first.kill("SIGTERM");
      const second = await startPlatformProcess({ env: { ...env, EVENT_API: "true" }, dataDir });
      onEnd(() => second.kill("SIGKILL"));
      const agents = await second.call<{ id: string }[]>("GET", "/chatflows");
      assert.deepEqual(
        agents.map(({ id }) => id),
        [own.id],
      );
    });
  });
});
