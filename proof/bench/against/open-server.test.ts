import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createScriptedOpenAiServer, type ScriptedOpenAiServer } from "@weft/providers/testing";
import { freePort } from "../../../packages/server/src/testing/free-port.ts";
import { type PlatformProcess, startPlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";
import { BenchError } from "../report/bench-error.ts";
import { openServer } from "./open-server.ts";

const flowFile = fileURLToPath(new URL("../flows/translator.agentflow.json", import.meta.url));

function rejects(access: Parameters<typeof openServer>[0], reason: RegExp): Promise<void> {
  return assert.rejects(openServer(access), (error) => {
    assert.ok(error instanceof BenchError, String(error));
    assert.match(error.message, reason);
    return true;
  });
}

describe("a server to be measured", () => {
  let model: ScriptedOpenAiServer;
  let weft: PlatformProcess;
  let access: { url: string; key: string };

  before(async () => {
    model = await createScriptedOpenAiServer({
      script: ({ messages }) =>
        messages.some(({ content }) => content === "Refuse.") ? { status: 400, body: "No." } : { text: "Hello there." },
    });
    weft = await startPlatformProcess({
      env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k", DEFAULT_MODEL: "scripted" },
    });
    access = { url: weft.url, key: weft.token };
  });
  after(async () => {
    await weft.remove();
    await model.close();
  });

  it("gets the flow of a file for as long as it is measured", async () => {
    const { agentId, streams, target, close } = await openServer({ ...access, flowFile });
    assert.equal(streams, true);
    assert.deepEqual(target, { host: "127.0.0.1", port: weft.port, secure: false, basePath: "", key: weft.token });
    assert.equal((await weft.send("GET", `/chatflows/${agentId}`)).status, 200);
    await close();
    assert.equal((await weft.send("GET", `/chatflows/${agentId}`)).status, 404);
  });

  it("wants a key that it knows", async () => {
    await rejects({ url: weft.url, agentId: "a" }, /wants a key\. Give one with --key/);
    await rejects({ url: weft.url, key: "wrong", agentId: "a" }, /does not accept the key \(status 401\)/);
  });

  it("wants an agent that is there and answers", async () => {
    const unknown = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
    await rejects({ ...access, agentId: unknown }, new RegExp(`has no agent with the id ${unknown} \\(status 404\\)`));
    const nodes = [
      { id: "start_0", type: "start" },
      { id: "llm_0", type: "llm", config: { messages: [{ role: "user", content: "Refuse." }] } },
    ];
    const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "llm_0" }] });
    const { id } = await weft.call<{ id: string }>("POST", "/chatflows", { name: "Refuses", flowData });
    await rejects({ ...access, agentId: id }, /The agent does not answer a question \(status \d+\): \S/);
  });

  it("wants a file with a flow", async () => {
    await rejects({ ...access, flowFile: "/nowhere/flow.json" }, /flow\.json cannot be read as a flow/);
    const other = fileURLToPath(new URL("../../../package.json", import.meta.url));
    await rejects({ ...access, flowFile: other }, /is not an exported flow/);
  });
});

it("must be reachable, and speak Flowise's API", async (t) => {
  await rejects({ url: `http://127.0.0.1:${await freePort()}`, agentId: "a" }, /does not answer \(.*ECONNREFUSED/);
  const page = createServer((_, response) => response.end("<html>"));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  t.after(() => page.close());
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  await rejects({ url, agentId: "a" }, /does not speak Flowise's API: GET \/api\/v1\/ping/);
});
