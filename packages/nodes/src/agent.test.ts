import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NodeServices } from "@weft/engine/node";
import type { Tool, ToolBuildContext } from "@weft/engine/ports/tool";
import { createScriptedModel } from "@weft/engine/testing";
import { type JsonObject, WeftError } from "@weft/schema";
import {
  chain,
  completionOf,
  createFlowProcess,
  findingsOf,
  modelServices,
  runFlow,
  toolServices,
} from "./testing/run-flow.ts";

const agent = (config: object = {}) => ({ id: "agent", type: "agent", config });

function tool(name: string, content: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    parameters: { type: "object" },
    kind: "read",
    effect: "read",
    call: async () => ({ content }),
    ...more,
  };
}

const usesLook = [{ toolCalls: [{ name: "look", arguments: { at: "x" } }] }, { text: "It is there." }];

describe("agent node", () => {
  it("answers with what its model says after its tools were called", async () => {
    const model = createScriptedModel(usesLook);
    const services = { ...modelServices(model), ...toolServices({ kit: [tool("look", "seen")] }) };
    const run = await runFlow(chain(agent({ tools: [{ type: "kit" }] })), { services });
    assert.equal(run.text, "It is there.");
    assert.deepEqual(run.outputOf("agent"), {
      content: "It is there.",
      model: "scripted/model",
      usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
      usedTools: [{ tool: "look", toolInput: { at: "x" }, toolOutput: "seen" }],
    });
    assert.deepEqual(completionOf(run.events, "agent")?.messages, [
      { role: "userMessage", content: "hello" },
      { role: "apiMessage", content: "It is there." },
    ]);
  });

  it("answers without tools", async () => {
    const model = createScriptedModel([{ text: "Hi" }]);
    const run = await runFlow(chain(agent()), { services: modelServices(model) });
    assert.equal(run.text, "Hi");
    assert.equal(model.calls[0]?.tools, undefined);
  });

  it("offers the tools of all its integrations", async () => {
    const model = createScriptedModel([{ text: "ok" }]);
    const kits = { a: [tool("one", ""), tool("two", "")], b: [tool("three", "")] };
    const services = { ...modelServices(model), ...toolServices(kits) };
    await runFlow(chain(agent({ tools: [{ type: "a" }, { type: "b" }] })), { services });
    assert.deepEqual(
      model.calls[0]?.tools?.map(({ name }) => name),
      ["one", "two", "three"],
    );
  });

  it("refuses two tools of one name before it asks its model", async () => {
    const model = createScriptedModel([{ text: "never" }]);
    const services = { ...modelServices(model), ...toolServices({ a: [tool("look", "")], b: [tool("look", "")] }) };
    const run = await runFlow(chain(agent({ tools: [{ type: "a" }, { type: "b" }] })), { services });
    assert.equal(run.error?.code, "tool-invalid");
    assert.match(run.error?.message ?? "", /look.*same name/);
    assert.equal(model.calls.length, 0);
  });

  it("fails when a tool cannot be built", async () => {
    const resolve = () => Promise.reject(new WeftError("tool-invalid", { params: { name: "kit", reason: "no URL" } }));
    const services = { ...modelServices(createScriptedModel([{ text: "never" }])), tools: { resolve } };
    const run = await runFlow(chain(agent({ tools: [{ type: "kit" }] })), { services });
    assert.equal(run.error?.message, "The tool kit cannot be used: no URL");
  });

  it("gives what builds its tools their config, the run's templates and credentials", async () => {
    const built: unknown[] = [];
    const resolve: NodeServices["tools"]["resolve"] = async ({ type, config }, context: ToolBuildContext) => {
      const { url, credential } = config as { url: string; credential: string };
      built.push(
        type,
        context.render(url, "url"),
        context.render("{{ question }}"),
        await context.readCredential(credential),
      );
      return [];
    };
    const readCredential = async (id: string) => ({ token: `token of ${id}` });
    const services = { ...modelServices(createScriptedModel([{ text: "ok" }])), tools: { resolve }, readCredential };
    const config = { url: "http://api.test/{{ question }}", credential: "c-1" };
    const run = await runFlow(chain(agent({ tools: [{ type: "get", config }] })), {
      services,
      input: { question: "a/b" },
    });
    assert.deepEqual(built, ["get", "http://api.test/a%2Fb", "a/b", { token: "token of c-1" }]);
    assert.ok(!JSON.stringify(run.events).includes("token of"));
  });

  it("answers with a tool's result that is returned directly", async () => {
    const model = createScriptedModel(usesLook);
    const direct = tool("look", "", { call: async () => ({ content: "straight from the API", returnDirect: true }) });
    const services = { ...modelServices(model), ...toolServices({ kit: [direct] }) };
    const run = await runFlow(chain(agent({ tools: [{ type: "kit" }] })), { services });
    assert.equal(run.text, "straight from the API");
    assert.equal(model.calls.length, 1);
  });

  it("answers with the result of any tool where its author wants that", async () => {
    const model = createScriptedModel(usesLook);
    const services = { ...modelServices(model), ...toolServices({ kit: [tool("look", "seen")] }) };
    const run = await runFlow(chain(agent({ tools: [{ type: "kit", returnDirect: true }] })), { services });
    assert.equal(run.text, "seen");
    assert.equal(model.calls.length, 1);
  });

  it("names the buttons of approvals where its author does", async () => {
    const services = {
      ...modelServices(createScriptedModel(usesLook)),
      ...toolServices({ kit: [tool("look", "seen")] }),
    };
    const config = { tools: [{ type: "kit", requiresApproval: true }], proceedLabel: "Yes", rejectLabel: "No" };
    const process = createFlowProcess(chain(agent(config)), { services });
    await process.start().done;
    const asked = process.events().find((event) => event.type === "node-suspended");
    assert.deepEqual(asked?.type === "node-suspended" && asked.wait.details.labels, { proceed: "Yes", reject: "No" });
  });

  it("asks a person before each search that needs it", async () => {
    const model = createScriptedModel([{ toolCalls: [{ name: "docs", arguments: { query: "x" } }] }, { text: "ok" }]);
    const services = {
      ...modelServices(model),
      retriever: { retrieve: async () => ({ documents: [], warnings: [] }) },
    };
    const knowledge = [{ storeId: "s", name: "docs", requiresApproval: true }];
    const process = createFlowProcess(chain(agent({ knowledge })), { services });
    assert.equal(await process.start().done, "suspended");
  });

  it("lets its model call tools for so many rounds", async () => {
    const model = createScriptedModel([...Array.from({ length: 3 }, () => usesLook[0] ?? {}), { text: "enough" }]);
    const services = { ...modelServices(model), ...toolServices({ kit: [tool("look", "seen")] }) };
    const run = await runFlow(chain(agent({ tools: [{ type: "kit" }], maxRounds: 3 })), { services });
    assert.equal(run.text, "enough");
    assert.equal(((run.outputOf("agent") as JsonObject).usedTools as unknown[]).length, 3);
    assert.deepEqual(
      model.calls.map((call) => call.toolChoice),
      ["auto", "auto", "auto", "none"],
    );
  });

  it("asks a person before each call of a tool that needs it, also after a restart", async () => {
    const model = createScriptedModel(usesLook);
    let calls = 0;
    const look = tool("look", "", {
      kind: "write",
      call: async () => ({ content: `seen ${++calls}` }),
    });
    const services = { ...modelServices(model), ...toolServices({ kit: [look] }) };
    const flow = chain(agent({ tools: [{ type: "kit", requiresApproval: true }] }));
    for (const [answer, told] of [
      [{ type: "proceed" }, /"toolOutput":"seen 1"/],
      [{ type: "reject", feedback: "not now" }, /did not allow.*not now/],
    ] as const) {
      const process = createFlowProcess(flow, { services });
      assert.equal(await process.start().done, "suspended");
      const asked = process.events().find((event) => event.type === "node-suspended");
      assert.ok(asked?.type === "node-suspended");
      assert.match(asked.wait.text, /^Agent wants to call look with:.*"at": "x"/s);
      assert.equal(asked.wait.details.kind, "tool-approval");
      const resume = { nodeKey: asked.nodeKey, nodeId: asked.nodeId, waitId: asked.wait.waitId, answer };
      assert.equal(await process.recover({ resume }).done, "completed");
      assert.match(JSON.stringify(completionOf(process.events(), "agent")?.output), told);
      assert.equal(calls, 1);
    }
  });

  it("remembers what was there when it began, not what was said while it waited", async () => {
    const asked: object[] = [];
    const messages = async (session: object) => {
      asked.push(session);
      return [];
    };
    const services = {
      ...modelServices(createScriptedModel(usesLook)),
      ...toolServices({ kit: [tool("look", "seen")] }),
    };
    const flow = chain(agent({ tools: [{ type: "kit", requiresApproval: true }] }));
    const process = createFlowProcess(flow, { services, memory: { messages } });
    await process.start().done;
    const wait = process.events().find((event) => event.type === "node-suspended");
    assert.ok(wait?.type === "node-suspended");
    const resume = {
      nodeKey: wait.nodeKey,
      nodeId: wait.nodeId,
      waitId: wait.wait.waitId,
      answer: { type: "proceed" },
    };
    await process.recover({ resume }).done;
    const session = { agentId: "agent-1", owner: "", sessionId: "session-1" };
    assert.deepEqual(asked, [session, { ...session, beforeRun: "run-1" }]);
  });

  it("goes on at its error port", async () => {
    const flow = JSON.stringify({
      weft: 1,
      nodes: [
        { id: "start", type: "start" },
        agent(),
        { id: "r", type: "direct-reply", config: { message: "Sorry: {{ agent.output.error.message }}" } },
      ],
      edges: [
        { id: "a", source: "start", target: "agent" },
        { id: "b", source: "agent", sourcePort: "error", target: "r" },
      ],
    });
    const resolve = () =>
      Promise.reject(new WeftError("model-not-configured", { params: { model: "x", reason: "no key" } }));
    const run = await runFlow(flow, { services: { models: { resolve } } });
    assert.equal(run.text, "Sorry: The model x cannot be used: no key");
  });

  it("refuses settings that do not fit", () => {
    const wrong: Record<string, object> = {
      maxRounds: { maxRounds: 0 },
      "tools.0.type": { tools: [{ config: {} }] },
      "onFailure.retries": { onFailure: { retries: -1 } },
    };
    for (const [path, config] of Object.entries(wrong)) {
      const [finding] = findingsOf(agent(config));
      assert.deepEqual([finding?.code, finding?.path], ["node-config-invalid", path]);
    }
  });
});
