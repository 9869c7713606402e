import { once } from "node:events";
import { createServer } from "node:http";
import type { TestContext } from "node:test";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import type { TestDatabases } from "../../../../database/src/testing/test-databases.ts";
import { openTestPlatform, type TestPlatform } from "../test-platform.ts";

/** A platform, a model that does what it is told, and an API that answers as its paths say. */
export type FlowWorld = { platform: TestPlatform; apiUrl: string; calls: ReadonlyMap<string, number> };

export async function openFlowWorld(t: Pick<TestContext, "after">, databases: TestDatabases): Promise<FlowWorld> {
  const { url, port, calls, close } = await startApi();
  t.after(close);
  const model = await createScriptedOpenAiServer({ script: obedient });
  t.after(() => model.close());
  const platform = await openTestPlatform(t, databases, {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "test",
    DEFAULT_MODEL: "scripted",
    EGRESS_ALLOW: `127.0.0.1:${port}`,
  });
  return { platform, apiUrl: url, calls };
}

/**
 * Does what the last message says: `call NAME ARGUMENTS` calls a tool, `all` says every message, `fail` fails; anything
 * else is said back. After a call it says what the tool said.
 */
const obedient: Script = ({ messages }) => {
  const last = messages.at(-1);
  const text = String(last?.content);
  if (last?.role === "tool") return { text: `Tool said: ${text}` };
  if (text === "fail") return { status: 400, body: { error: { message: "As told." } } };
  if (text === "all") return { text: messages.map(({ content }) => String(content)).join("|") };
  const [, name, args] = /^call (\S+) (.*)$/s.exec(text) ?? [];
  return name === undefined ? { text } : { toolCalls: [{ name, arguments: args ?? "{}" }] };
};

const answers: Record<string, (value: string, count: number) => { status: number; text: string }> = {
  fail: () => ({ status: 500, text: "failed" }),
  missing: () => ({ status: 404, text: "missing" }),
  wait: (ms) => ({ status: 200, text: `waited ${ms}` }),
  flaky: (n, count) => ({ status: count < Number(n) ? 500 : 200, text: "worked" }),
};

/** `/<case>/ok`, `/fail`, `/missing`, `/hang`, `/wait/<ms>`, and `/flaky/<n>`, which works from the n-th call on. */
async function startApi() {
  const calls = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const count = (calls.get(path) ?? 0) + 1;
    calls.set(path, count);
    const [, , kind = "", value = ""] = path.split("/");
    if (kind === "hang") return;
    if (kind === "wait") await new Promise((resolve) => setTimeout(resolve, Number(value)));
    const { status, text } = answers[kind]?.(value, count) ?? { status: 200, text: kind };
    response.writeHead(status).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, port, calls, close };
}
