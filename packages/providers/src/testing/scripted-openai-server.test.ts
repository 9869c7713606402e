import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Script } from "./script-step.ts";
import { createScriptedOpenAiServer } from "./scripted-openai-server.ts";

async function withServer(script: Script, use: (url: string) => Promise<void>): Promise<void> {
  const server = await createScriptedOpenAiServer({ script });
  try {
    await use(server.url);
  } finally {
    await server.close();
  }
}

function post(url: string, body: unknown): Promise<Response> {
  return globalThis.fetch(`${url}/chat/completions`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const request = { model: "m", messages: [{ role: "user", content: "Hi" }] };

test("lists its model, and answers unknown paths and unparsable bodies with errors", async () => {
  await withServer([], async (url) => {
    const models = (await (await globalThis.fetch(`${url}/models`)).json()) as { data: { id: string }[] };
    assert.equal(models.data[0]?.id, "scripted");
    assert.equal((await globalThis.fetch(`${url}/nothing`)).status, 404);
    assert.equal((await post(url, "{")).status, 400);
  });
});

test("goes through its steps and says when they are over", async () => {
  await withServer([{ text: "one" }, { text: "two", delayMs: 1 }], async (url) => {
    const texts: unknown[] = [];
    for (let index = 0; index < 2; index += 1) {
      const body = (await (await post(url, request)).json()) as { choices: { message: { content: string } }[] };
      texts.push(body.choices[0]?.message.content);
    }
    assert.deepEqual(texts, ["one", "two"]);
    const over = await post(url, request);
    assert.equal(over.status, 500);
    assert.match(await over.text(), /exhausted/);
  });
});

test("as a process: calls the first tool, then answers", async () => {
  const main = fileURLToPath(new URL("./scripted-openai-server-main.ts", import.meta.url));
  const child = spawn(process.execPath, [main, "--text", "done", "--tool-call", '{"id":"1"}'], { stdio: "pipe" });
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const tools = [{ type: "function", function: { name: "get_events", parameters: {} } }];
    const first = await (await post(url, { ...request, tools })).text();
    assert.match(first, /"name":"get_events","arguments":"\{\\"id\\":\\"1\\"\}"/);
    const messages = [...request.messages, { role: "tool", tool_call_id: "x", content: "[]" }];
    assert.match(await (await post(url, { ...request, messages, tools })).text(), /"content":"done"/);
    assert.match(await (await post(url, { ...request, stream: true })).text(), /data: \[DONE\]\n\n$/);
  } finally {
    child.kill();
    await once(child, "exit");
  }
});
