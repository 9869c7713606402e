import assert from "node:assert/strict";
import { test } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const asTool = (type: string, config: object) => ({ tools: [{ type, config }] });

/** Every way in which a flow comes to something else: of the author's, with its id. */
const ways: Record<string, (ids: Ids) => string> = {
  "an agent that a step calls": ({ agent }) => flowOf("execute-flow", "Call", { agentId: agent }),
  "an agent as a tool of an agent": ({ agent }) => flowOf("agent", "Agent", asTool("agent", { agentId: agent })),
  "an agent as a tool of a step": ({ agent }) =>
    flowOf("tool", "Tool", { tool: { type: "agent", config: { agentId: agent } } }),
  "an agent that only a run names": () => flowOf("execute-flow", "Call", { agentId: "{{ question }}" }),
  "a store that a step searches": ({ store }) => flowOf("retriever", "Retriever", { stores: [{ storeId: store }] }),
  "a store as knowledge": ({ store }) => flowOf("agent", "Agent", { knowledge: [{ storeId: store, name: "k" }] }),
  "a variable in a text": () => flowOf("direct-reply", "Reply", { message: "{{ $vars.secret }}" }),
  "a variable in code": () => flowOf("custom-function", "Code", { code: "return $vars.secret;" }),
  "a variable that code computes": () =>
    flowOf("custom-function", "Code", { code: 'return globalThis["$va" + "rs"];' }),
  "a variable by another notation": () => flowOf("direct-reply", "Reply", { message: '{{ $vars["secret"] }}' }),
  "a variable in a header of a tool": () =>
    flowOf(
      "agent",
      "Agent",
      asTool("request-get", { url: "https://x.example", headers: { "X-Key": "{{ $vars.secret }}" } }),
    ),
  "every custom tool": () => flowOf("agent", "Agent", asTool("custom-tools", {})),
  "a variable in an address": () => flowOf("http", "HTTP", { url: "https://x.example/{{ $vars.secret }}" }),
  "a credential of a step": ({ credential }) => flowOf("http", "HTTP", { url: "https://x.example", credential }),
  "a credential of a model": ({ credential }) => flowOf("llm", "LLM", { model: { provider: "openai", credential } }),
  "a custom tool": ({ tool }) => flowOf("agent", "Agent", asTool("custom-tool", { toolId: tool })),
};

type Ids = { agent: string; store: string; credential: string; tool: string; own: string };

async function fill(platform: TestPlatform): Promise<Ids> {
  const made = async (path: string, body: object) => (await platform.json<{ id: string }>("POST", path, body)).id;
  await made("/variables", { name: "secret", value: "4711" });
  const tool = { name: "add", description: "Adds", schema: "[]", func: "return 1;" };
  return {
    agent: await agentWith(platform, flowOf("direct-reply", "Reply", { message: "Hello" })),
    own: await agentWith(platform, flowOf("direct-reply", "Reply", { message: "Mine" })),
    store: await made("/document-store/store", { name: "Store" }),
    credential: await made("/credentials", {
      name: "C",
      credentialName: "openai",
      plainDataObj: { apiKey: "sk-of-the-owner" },
    }),
    tool: await made("/tools", tool),
  };
}

async function keyOf(platform: TestPlatform, body: object) {
  const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "k", ...body });
  return { authorization: `Bearer ${apiKey}` };
}

await onTestDatabase((databases) => {
  test("a key that may write one agent comes by none of these ways to another agent, a store or a variable", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const ids = await fill(platform);
    const { own } = ids;
    const headers = await keyOf(platform, { permissions: ["agents:read", "agents:write"], agents: [own] });
    const before = await platform.json("GET", `/chatflows/${own}`);
    for (const [way, flowOfWay] of Object.entries(ways)) {
      const flowData = flowOfWay(ids);
      for (const [method, path] of [
        ["PUT", `/chatflows/${own}`],
        ["PUT", `/chatflows/${own}/draft`],
      ] as const) {
        const refused = await platform.send(method, path, { flowData }, headers);
        assert.equal(refused.status, 403, `${way}: ${path}`);
        const { code, errors } = (await refused.json()) as { code: string; errors: { path: string }[] };
        assert.equal(code, "references-not-permitted", way);
        assert.match(errors[0]?.path ?? "", /^node_0\./, way);
      }
      // Somebody else saved it meanwhile: restoring it is a save, too.
      await platform.json("PUT", `/chatflows/${own}`, { flowData });
      const [latest] = await platform.json<{ number: number }[]>("GET", `/chatflows/${own}/versions`);
      await platform.json("PUT", `/chatflows/${own}`, { flowData: (before as { flowData: string }).flowData });
      const restore = `/chatflows/${own}/versions/${latest?.number}/restore`;
      assert.equal((await platform.send("POST", restore, {}, headers)).status, 403, `${way}: restored`);
    }
    const speech = { openAIWhisper: { status: true, credentialId: ids.credential } };
    const spoken = { textToSpeech: { openai: { status: true, credentialId: ids.credential } } };
    const followed = { followUpPrompts: { status: true, model: { provider: "openai", credential: ids.credential } } };
    const traced = { langFuse: { status: true, credentialId: ids.credential } };
    for (const body of [
      { speechToText: JSON.stringify(speech) },
      { chatbotConfig: JSON.stringify(spoken) },
      { chatbotConfig: JSON.stringify(followed) },
      { analytic: JSON.stringify(traced) },
    ])
      assert.equal((await platform.send("PUT", `/chatflows/${own}`, body, headers)).status, 403, JSON.stringify(body));
    const harmless = { flowData: flowOf("direct-reply", "Reply", { message: "Still mine" }) };
    assert.equal((await platform.send("PUT", `/chatflows/${own}`, harmless, headers)).status, 200);
  });

  test("a key saves what it may use itself, and an account everything", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const ids = await fill(platform);
    const permissions = [
      ...["agents:read", "agents:write", "predictions:run", "credentials:read"],
      ...["document-stores:read", "tools:read", "variables:read"],
    ];
    const headers = await keyOf(platform, { permissions });
    for (const [way, flowOfWay] of Object.entries(ways)) {
      const body = { name: "Agent", flowData: flowOfWay(ids) };
      assert.equal((await platform.send("POST", "/chatflows", body, headers)).status, 200, way);
      assert.equal((await platform.send("POST", "/chatflows", body)).status, 200, way);
    }
    const limited = await keyOf(platform, { permissions, agents: [ids.own] });
    const calls = (agentId: string) => ({ flowData: flowOf("execute-flow", "Call", { agentId }) });
    const save = async (agentId: string) =>
      (await platform.send("PUT", `/chatflows/${ids.own}`, calls(agentId), limited)).status;
    assert.deepEqual([await save(ids.own), await save(ids.agent), await save("{{ question }}")], [200, 403, 403]);
  });

  test("assistants and imports are saves, too", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { store, credential, agent } = await fill(platform);
    const headers = await keyOf(platform, { permissions: ["agents:read", "agents:write", "assistants:write"] });
    const searches = { tools: ["file_search"], tool_resources: { file_search: { vector_store_ids: [store] } } };
    for (const body of [{ details: { name: "A", ...searches } }, { details: { name: "A" }, credential }]) {
      const refused = await platform.send("POST", "/assistants", body, headers);
      assert.equal(refused.status, 403, JSON.stringify(body));
      const { id } = await platform.json<{ id: string }>("POST", "/assistants", { details: { name: "Plain" } });
      assert.equal((await platform.send("PUT", `/assistants/${id}`, body, headers)).status, 403);
    }
    const files = [{ name: "flow.json", text: flowOf("execute-flow", "Call", { agentId: agent }) }];
    assert.equal((await platform.send("POST", "/flows/import", { files }, headers)).status, 403);
    assert.equal((await platform.send("POST", "/flows/import", { files })).status, 200);
  });
});
