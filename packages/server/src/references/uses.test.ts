import assert from "node:assert/strict";
import { test } from "node:test";
import type { Use } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

await onTestDatabase((databases) => {
  test("says where a thing is used: by agents and drafts, assistants, stores and the default model", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const made = async (path: string, body: object) => (await platform.json<{ id: string }>("POST", path, body)).id;
    const credential = await made("/credentials", {
      ...{ name: "C", credentialName: "openai", plainDataObj: { apiKey: "k" } },
      hosts: ["api.example.com"],
    });
    const uses = async (kind: string, id: string, headers?: Record<string, string>) => {
      const answer = await platform.send("GET", `/uses?kind=${kind}&id=${id}`, undefined, headers);
      assert.equal(answer.status, 200);
      return ((await answer.json()) as Use[]).map(
        ({ resource, name, step, path, isDraft }) => `${resource} ${name} ${step} ${path} ${isDraft}`,
      );
    };
    assert.deepEqual(await uses("credential", credential), []);

    const api = { url: "https://api.example.com", credential };
    const agent = await agentWith(platform, flowOf("http", "Refund", api), { name: "Shop" });
    const other = await agentWith(platform, flowOf("direct-reply", "Reply", { message: "{{ $vars.base }}" }), {
      name: "Other",
    });
    const draft = flowOf("tool", "Ask", { tool: { type: "request-get", config: { ...api, name: "get" } } });
    await platform.json("PUT", `/chatflows/${other}/draft`, { flowData: draft, pins: {} });
    await platform.json("PUT", `/chatflows/${agent}/draft`, {
      flowData: flowOf("http", "Refund", { ...api, method: "POST" }),
      pins: {},
    });
    await made("/assistants", { details: { name: "Helper" }, credential });
    const store = await made("/document-store/store", { name: "Handbook" });
    const embedding = { name: "openai", config: { credential } };
    await platform.json("PUT", `/document-store/store/${store}`, { embeddingConfig: JSON.stringify(embedding) });
    await platform.json("PUT", "/models/default", { provider: "openai", credential });
    const shop = "agent Shop Refund credential false";
    assert.deepEqual(await uses("credential", credential), [
      shop,
      "agent Other Ask tool.config.credential true",
      "assistant Helper Helper model.credential false",
      "document-store Handbook null credential false",
      "default-model  null credential false",
    ]);
    const heard = JSON.stringify({ openAIWhisper: { status: true, credentialId: credential } });
    const followed = { status: true, model: { provider: "openai", credential } };
    const talks = { textToSpeech: { openai: { status: true, credentialId: credential } }, followUpPrompts: followed };
    const settled = await agentWith(platform, flowOf("direct-reply", "Reply", { message: "Hi" }), {
      name: "Settled",
      speechToText: heard,
      chatbotConfig: JSON.stringify(talks),
      analytic: JSON.stringify({ langFuse: { status: true, credentialId: credential } }),
    });
    assert.deepEqual(
      (await uses("credential", credential)).filter((use) => use.includes("Settled")),
      ["speechToText", "textToSpeech", "followUpPrompts", "analytic.langFuse"].map(
        (setting) => `agent Settled null ${setting}.credential false`,
      ),
    );
    await platform.send("DELETE", `/chatflows/${settled}`);
    assert.deepEqual(await uses("variable", "base"), ["agent Other Reply message false"]);

    const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", {
      keyName: "k",
      permissions: ["agents:read"],
      agents: [agent],
    });
    const limited = { authorization: `Bearer ${apiKey}` };
    assert.deepEqual(await uses("credential", credential, limited), [shop, "default-model  null credential false"]);
    assert.equal((await platform.send("GET", "/uses?kind=chat&id=x")).status, 400);
    assert.equal((await platform.send("GET", "/uses?kind=tool")).status, 400);
  });

  test("says which steps call an agent, search a store or use a tool", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const called = await agentWith(platform, flowOf("direct-reply", "Reply", { message: "Hello" }), { name: "Called" });
    const { id: store } = await platform.json<{ id: string }>("POST", "/document-store/store", { name: "Handbook" });
    const { id: tool } = await platform.json<{ id: string }>("POST", "/tools", {
      ...{ name: "add", description: "Adds", schema: "[]", func: "return 1;" },
    });
    const config = {
      knowledge: [{ storeId: store, name: "handbook" }],
      tools: [
        { type: "agent", config: { agentId: called } },
        { type: "custom-tools", config: { toolIds: [tool] } },
      ],
    };
    const id = await agentWith(platform, flowOf("agent", "Desk", config), { name: "Front" });
    for (const [kind, what, path] of [
      ["agent", called, "tools.0.config.agentId"],
      ["tool", tool, "tools.1.config.toolIds"],
      ["document-store", store, "knowledge.0.storeId"],
    ] as const) {
      const [use, ...more] = await platform.json<Use[]>("GET", `/uses?kind=${kind}&id=${what}`);
      assert.deepEqual(
        [use?.resource, use?.id, use?.nodeId, use?.step, use?.path, more],
        ["agent", id, "node_0", "Desk", path, []],
      );
    }
  });
});
