import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { it } from "node:test";
import { createScriptedOpenAiServer, type ScriptStep } from "@weft/providers/testing";
import { forEachDatabase } from "./storage/testing/test-databases.ts";
import { startPlatformProcess } from "./testing/platform-process.ts";

/** A called API that counts its calls by path; a path with `slow` answers only when released. */
async function startCountingApi() {
  const counts = new Map<string, number>();
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const server: Server = createServer(async (request, response) => {
    const path = request.url ?? "";
    counts.set(path, (counts.get(path) ?? 0) + 1);
    if (path.includes("slow")) {
      reached.resolve();
      await release.promise;
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ done: path }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, counts, reached: reached.promise, release: release.resolve, close };
}

function agentFlow(baseUrl: string): string {
  const tool = (type: string, name: string, path: string) => ({
    type,
    config: { url: `${baseUrl}${path}`, name, description: name },
  });
  const tools = [
    tool("request-post", "quick_write", "/quick"),
    tool("request-get", "slow_read", "/slow-read"),
    tool("request-post", "slow_write", "/slow-write"),
  ];
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start" },
      { id: "agent_0", type: "agent", config: { tools } },
    ],
    edges: [{ id: "e", source: "start_0", target: "agent_0" }],
  });
}

/** Waits until a condition holds that another process brings about. */
async function until<T>(probe: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("It did not happen in thirty seconds.");
}

type Message = { role: string; content: string; usedTools: { tool: string; toolOutput: string }[] };

await forEachDatabase(({ createTestStorage }) => {
  for (const slowTool of ["slow_read", "slow_write"]) {
    it(`survives kill -9 while ${slowTool} runs: the finished call was made once, the answer is in the chat`, async (t) => {
      // Hooks run in the order of their registration: everything stops before its database is removed.
      const started: (() => unknown)[] = [];
      t.after(async () => {
        for (const stop of started.toReversed()) await stop();
      });
      const { databaseUrl, dataDir } = await createTestStorage(t);
      const api = await startCountingApi();
      started.push(api.close);
      const model = await createScriptedOpenAiServer({ script: script(slowTool) });
      started.push(() => model.close());
      const env = {
        DATABASE_URL: databaseUrl,
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: "test",
        DEFAULT_MODEL: "scripted",
        EGRESS_ALLOW: `127.0.0.1:${api.port}`,
      };
      const first = await startPlatformProcess({ env, dataDir });
      started.push(() => first.kill("SIGKILL"));
      const flowData = agentFlow(`http://127.0.0.1:${api.port}`);
      const { id } = await first.call<{ id: string }>("POST", "/chatflows", { name: "slow", flowData });
      const asked = first.send("POST", `/prediction/${id}`, { question: "Go", chatId: "chat" }).catch(() => undefined);
      await api.reached;
      await first.kill("SIGKILL");
      await asked;
      api.release();

      const second = await startPlatformProcess({ env, dataDir });
      started.push(() => second.kill("SIGKILL"));
      const [question, answer] = await until(async () => {
        const list = await second.call<Message[]>("GET", `/chatmessage/${id}?chatId=chat`);
        return list.length === 2 ? list : undefined;
      });
      assert.equal(question?.content, "Go");
      assert.match(answer?.content ?? "", /^Finished: /);
      assert.equal(api.counts.get("/quick"), 1);
      const isWrite = slowTool === "slow_write";
      assert.equal(api.counts.get(`/${slowTool.replace("_", "-")}`), isWrite ? 1 : 2);
      if (isWrite) assert.match(answer?.content ?? "", /unknown whether it took effect/);
    });
  }
});

function script(slowTool: string) {
  return (request: { messages: { role: string; content?: unknown }[] }): ScriptStep => {
    const results = request.messages.filter((message) => message.role === "tool");
    if (results.length === 0) return { toolCalls: [{ name: "quick_write", arguments: "{}" }] };
    if (results.length === 1) return { toolCalls: [{ name: slowTool, arguments: "{}" }] };
    return { text: `Finished: ${JSON.stringify(results.at(-1)?.content)}` };
  };
}
