import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { startPlatformProcess } from "../packages/server/src/testing/platform-process.ts";

const agentId = "0d2f6f0e-5d0f-4a27-9c0e-8f6d8f1c2a11";
const toolId = "7f3a2f7e-4a57-4d39-8f5c-0c7c1f0b6e22";
const protectedId = "3b1f6f0e-5d0f-4a27-9c0e-8f6d8f1c2a33";
const keyId = "9c3a2f7e-4a57-4d39-8f5c-0c7c1f0b6e44";
const key = "key-of-the-other-server";

const node = (name: string, inputs: object) => ({
  id: `${name}_0`,
  type: "agentFlow",
  position: { x: 0, y: 0 },
  data: { id: `${name}_0`, name, label: name, inputs },
});
const flowData = JSON.stringify({
  nodes: [
    node("startAgentflow", { startInputType: "chatInput" }),
    node("directReplyAgentflow", { directReplyMessage: "<p>Hello {{ $vars.city }}</p>" }),
    node("telepathyAgentflow", {}),
  ],
  edges: [{ id: "e", source: "startAgentflow_0", target: "directReplyAgentflow_0", type: "agentFlow" }],
});

const chatflow = JSON.stringify({
  nodes: [
    {
      id: "customFunction_0",
      data: { name: "customFunction", inputs: { javascriptFunction: "return 1" }, outputs: { output: "EndingNode" } },
    },
  ],
  edges: [],
});

const team = JSON.stringify({
  nodes: [{ id: "worker_0", data: { name: "worker", category: "Multi Agents" } }],
  edges: [],
});

/** Lists as the other API answers them: what is not set is null. */
const lists: Record<string, object[]> = {
  "/api/v1/variables": [{ id: crypto.randomUUID(), name: "city", value: "Ulm", type: "static", workspaceId: "w" }],
  "/api/v1/tools": [
    { id: toolId, name: "add", description: "Adds", color: "#fff000", iconSrc: null, schema: "[]", func: "return 1" },
    { id: crypto.randomUUID(), name: "odd", description: "", color: null, iconSrc: null, schema: "7", func: null },
  ],
  "/api/v1/chatflows": [
    { id: agentId, name: "Greeter", flowData, type: "AGENTFLOW", deployed: null, isPublic: true, chatbotConfig: null },
    { id: protectedId, name: "Payroll", flowData, type: "AGENTFLOW", isPublic: true, apikeyid: keyId },
    { id: crypto.randomUUID(), name: "Chain", flowData: chatflow, type: "CHATFLOW" },
    { id: crypto.randomUUID(), name: "Team", flowData: team, type: "MULTIAGENT", apikeyid: keyId },
    { id: crypto.randomUUID(), name: "Old", flowData: "{}", type: "ASSISTANT", apikeyid: keyId },
  ],
};

async function startOther(t: TestContext): Promise<string> {
  const server = createServer(({ url = "", headers }, response) => {
    const list = headers.authorization === `Bearer ${key}` ? lists[url] : undefined;
    response.writeHead(list === undefined ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(list ?? { message: "Unauthorized Access" }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function run(args: string[], env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = fileURLToPath(new URL("copy-from-flowise.ts", import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

describe("copy-from-flowise", () => {
  it("copies flows, tools and variables under their ids, says what is wrong, and repeats nothing", async (t) => {
    const other = await startOther(t);
    const platform = await startPlatformProcess();
    t.after(() => platform.remove());
    const env = { FLOWISE_API_KEY: key, WEFT_TOKEN: platform.token };
    const undecided = await run([other, platform.url], env);
    assert.deepEqual([undecided.code, undecided.stdout], [2, ""]);
    assert.match(
      undecided.stderr,
      /^Nothing was copied\. .* answer everybody: Greeter, Chain\. Choose with --open-agents/,
    );
    assert.deepEqual(await platform.call("GET", "/variables"), []);
    const open = ["--open-agents", "open"];
    const first = await run([...open, other, platform.url], env);
    assert.equal(first.code, 1, first.stderr);
    const lines = first.stdout.split("\n");
    assert.deepEqual(lines.slice(0, 2), ["variable  city: copied", "tool      add: copied"]);
    assert.match(lines[2] ?? "", /^tool {6}odd: NOT COPIED\. .*JSON/);
    assert.equal(lines[3], "agent     Greeter: copied");
    assert.match(lines[4] ?? "", /^ {2}error: .*telepathy/);
    const shown = /^key {7}for Payroll, Team: (wk_\S+) \(shown this once/m.exec(first.stdout)?.[1] ?? "";
    assert.match(first.stdout, /Greeter: copied\n.*\n {2}access: open to everybody, as there/);
    assert.match(first.stdout, /Payroll: copied\n.*\n {2}access: needs the key/);
    assert.match(first.stdout, /agent {5}Old: left\. It is an assistant/);
    assert.match(first.stdout, /agent {5}Team: copied\n {2}error: .*no Start/);
    assert.match(first.stdout, /agent {5}Chain: copied\n {2}access: open to everybody/);
    const agent = await platform.call<{ flowData: string; isPublic: boolean }>("GET", `/chatflows/${agentId}`);
    assert.deepEqual([agent.flowData, agent.isPublic], [flowData, true]);
    assert.equal((await platform.call<{ name: string }>("GET", `/tools/${toolId}`)).name, "add");

    const guarded = await platform.call<{ apikeyid: string; isPublic: boolean }>("GET", `/chatflows/${protectedId}`);
    assert.deepEqual([guarded.apikeyid, guarded.isPublic], [keyId, false]);
    const ask = (bearer: string) =>
      fetch(`${platform.url}/api/v1/prediction/${protectedId}`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: '{"question":"Hi"}',
      }).then(({ status }) => status);
    // The flow itself cannot run: a request that gets that far was let in.
    assert.deepEqual([await ask(platform.token), await ask("wk_wrong"), await ask(shown)], [401, 401, 500]);

    const second = await run([...open, other, platform.url], env);
    assert.match(second.stdout, /key {7}for Payroll, Team: is here already/);
    assert.match(second.stdout, /variable {2}city: is here already\ntool {6}add: is here already/);
    assert.match(second.stdout, /agent {5}Greeter: is here already/);
    assert.equal((await platform.call<object[]>("GET", "/variables")).length, 1);
  });

  it("says how it is used, and what does not answer", async (t) => {
    const other = await startOther(t);
    const env = { FLOWISE_API_KEY: "wrong", WEFT_TOKEN: "t" };
    assert.match((await run([], env)).stderr, /^Usage: /);
    assert.match((await run([other], { FLOWISE_API_KEY: key })).stderr, /^Usage: /);
    const refused = await run([other, "http://127.0.0.1:1"], env);
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /Unauthorized Access/);
    const silent = await run(["http://127.0.0.1:1"], env);
    assert.equal(silent.stderr, "http://127.0.0.1:1 cannot be read. It does not answer.\n");
    const wrong = await run(["--open-agents", "perhaps", other], { ...env, FLOWISE_API_KEY: key });
    assert.match(wrong.stderr, /^Usage: /);
    const nowhere = await run(["--open-agents", "closed", other, "http://127.0.0.1:1"], {
      ...env,
      FLOWISE_API_KEY: key,
    });
    assert.equal(nowhere.stderr, "http://127.0.0.1:1 does not answer.\n");
  });
});
