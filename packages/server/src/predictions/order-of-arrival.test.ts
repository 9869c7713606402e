import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it, type TestContext } from "node:test";
import type { Database } from "@weft/database";
import { type Listening, listen } from "@weft/http";
import type { ChatMessage } from "@weft/schema";
import type { KyselyPlugin } from "kysely";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { code, say, toFlowData } from "../testing/flow-table/flow-case.ts";
import { agentWith, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const count = 100;

/** Reads that end in another order than they began, as those of a pool of connections may. */
function withUnevenReads(database: Database): Database {
  let reads = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, [25, 0, 12, 5][reads % 4]));
      return result;
    },
  };
  return { ...database, read: database.read.withPlugin(plugin) };
}

/** A served platform that notes the questions in the order in which their requests were read. */
async function serve(t: TestContext, databases: TestDatabases) {
  let server: Listening | undefined;
  t.after(() => server?.close({ graceMs: 0 }));
  const platform = await openTestPlatform(t, databases, {}, { wrapDatabase: withUnevenReads });
  const arrived: string[] = [];
  const fetch: TestPlatform["fetch"] = (request, connection) => {
    arrived.push(request.headers.get("x-question") ?? "");
    return platform.fetch(request, connection);
  };
  server = await listen({ ...platform, fetch }, { host: "127.0.0.1", port: 0 });
  const flowData = toFlowData({
    start: { state: { n: 0 }, persistState: true },
    nodes: {
      add: code("return Number($flow.state.n) + 1", { n: "{{ output.data }}" }),
      end: say("{{ question }} is number {{ $flow.state.n }}"),
    },
    edges: "start>add add>end",
  });
  const agentId = await agentWith(platform, flowData);
  // One that the server has not seen: its proof is read from the database, too.
  const target = { port: server.port, path: `/api/v1/prediction/${agentId}`, token: await platform.issueToken() };
  return { platform, arrived, agentId, target };
}

type Message = { question: string; body?: object; headers?: Record<string, string> };

type Target = { port: number; path: string; token: string };

function toRequest(message: Message, { path, token, connection }: Omit<Target, "port"> & { connection: string }) {
  const { question, body = { question, chatId: "chat" }, headers = {} } = message;
  const text = JSON.stringify(body);
  const all = {
    host: "localhost",
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-question": question,
    connection,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
}

/** Sends requests over one connection, without waiting for answers. Resolves with the answers' statuses. */
async function pipeline({ port, path, token }: Target, messages: readonly Message[]): Promise<number[]> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const last = messages.length - 1;
  const requests = messages.map((message, index) =>
    toRequest(message, { path, token, connection: index === last ? "close" : "keep-alive" }),
  );
  socket.write(requests.join(""));
  let answers = "";
  for await (const chunk of socket) answers += String(chunk);
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  assert.equal(statuses.length, messages.length, "each has its answer");
  return statuses;
}

async function conversation(platform: TestPlatform, agentId: string): Promise<string[]> {
  const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${agentId}?chatId=chat`);
  return messages.map(({ content }) => content);
}

const numbered = (questions: readonly string[]) =>
  questions.flatMap((question, index) => [question, `${question} is number ${index + 1}`]);

await onTestDatabase((databases) => {
  describe("messages to one session at the same moment", () => {
    for (const connections of [1, 7]) {
      it(`are answered in the order in which they were read, on ${connections} connections`, async (t) => {
        const { platform, arrived, target, agentId } = await serve(t, databases);
        const messages = Array.from({ length: count }, (_, index) => ({ question: `Message ${index + 1}` }));
        const lots = Array.from({ length: connections }, (_, lot) =>
          messages.filter((_, index) => index % connections === lot),
        );
        const statuses = await Promise.all(lots.map((lot) => pipeline(target, lot)));
        assert.deepEqual(new Set(statuses.flat()), new Set([200]));
        assert.equal(arrived.length, count);
        assert.deepEqual(await conversation(platform, agentId), numbered(arrived));
      });
    }

    it("keep their order with Idempotency-Keys, and repetitions hold nobody up", async (t) => {
      const { platform, target, agentId } = await serve(t, databases);
      const questions = Array.from({ length: 20 }, (_, index) => `Message ${index + 1}`);
      const twice = questions.flatMap((question) => [question, question]);
      const keyed = twice.map((question) => ({ question, headers: { "idempotency-key": question } }));
      const statuses = await pipeline(target, keyed);
      assert.deepEqual(new Set(statuses), new Set([200]));
      assert.deepEqual(await conversation(platform, agentId), numbered(questions));
    });

    it("are not held up by one that is refused", async (t) => {
      const { platform, target, agentId } = await serve(t, databases);
      const messages: Message[] = [
        { question: "One" },
        { question: "", body: { chatId: "chat" } },
        { question: "", body: { question: 1, chatId: "chat" } },
        { question: "", headers: { authorization: "Bearer nobody" } },
        { question: "", body: { question: "", chatId: "chat", uploads: [{ type: "file", name: "a", data: "b" }] } },
        { question: "Two" },
      ];
      const statuses = await pipeline(target, messages);
      assert.deepEqual([statuses.at(0), statuses.at(-1)], [200, 200]);
      assert.ok(
        statuses.slice(1, -1).every((status) => status >= 400),
        statuses.join(),
      );
      assert.deepEqual(await conversation(platform, agentId), numbered(["One", "Two"]));
    });
  });
});
