import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import type { Finding } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

type Inputs = Record<string, unknown>;
type Warned = { metadata: { warnings: { message: string }[] } };
type Execution = { executionData: string };

async function open(t: TestContext, databases: TestDatabases, script: Script) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-operator", DEFAULT_MODEL: "scripted" };
  return { model, platform: await openTestPlatform(t, databases, env) };
}

function foreignNode(id: string, inputs: Inputs) {
  const name = id.replace(/_\d+$/, "");
  const data = { id, name, label: `My ${name}`, category: "Agent Flows", inputs };
  return { id, type: "agentFlow", position: { x: 1, y: 2 }, data };
}

/** An AgentFlow V2 as the editor saves it: nodes behind a start node (given or not), each behind the one before it. */
function foreignFlow(...steps: [string, Inputs][]): string {
  const begin: [string, Inputs] = ["startAgentflow_0", { startInputType: "chatInput" }];
  const nodes = steps[0]?.[0] === begin[0] ? steps : [begin, ...steps];
  const edges = nodes.slice(1).map(([target], index) => {
    const source = nodes[index]?.[0] ?? "";
    return { id: `${source}-${target}`, source, sourceHandle: `${source}-output-x`, target, targetHandle: target };
  });
  return JSON.stringify({ nodes: nodes.map(([id, inputs]) => foreignNode(id, inputs)), edges }, null, 2);
}

const agent = {
  agentModel: "chatOpenAI",
  agentModelConfig: { modelName: "gpt-4o-mini", temperature: 0.9, streaming: true },
  agentMessages: [{ role: "system", content: "<p>Count for the user.</p>" }],
  agentEnableMemory: true,
  agentTools: [{ agentSelectedTool: "calculator", agentSelectedToolConfig: {} }],
};

const llmWithState = {
  llmModel: "chatOpenAI",
  llmMessages: [{ role: "system", content: "<p>The city is {{ $flow.state.city }}.</p>" }],
  llmEnableMemory: true,
};

await onTestDatabase((databases) => {
  describe("flows from elsewhere", () => {
    it("run as they were saved, and are kept byte for byte", async (t) => {
      const { platform, model } = await open(t, databases, ({ messages }) =>
        messages.at(-1)?.role === "tool"
          ? { text: "It is 42." }
          : { toolCalls: [{ name: "calculator", arguments: { expression: "6 * 7" } }] },
      );
      const reply = { directReplyMessage: "<p>Answer: {{ agentAgentflow_0.output.content }}</p>" };
      const flowData = foreignFlow(["agentAgentflow_0", agent], ["directReplyAgentflow_0", reply]);
      const body = { name: "Counts", type: "AGENTFLOW", flowData };
      const { id } = await platform.json<{ id: string }>("POST", "/chatflows", body);
      assert.equal((await platform.json<{ flowData: string }>("GET", `/chatflows/${id}`)).flowData, flowData);
      assert.deepEqual(await platform.json("GET", `/chatflows/${id}/findings`), []);

      const answer = await platform.json<{ text: string; executionId: string }>("POST", `/prediction/${id}`, {
        question: "What is 6 times 7?",
      });
      assert.equal(answer.text, "Answer: It is 42.");
      const { body: asked } = model.requests[0] ?? assert.fail("the model was asked");
      assert.equal(asked.model, "gpt-4o-mini");
      assert.deepEqual(
        asked.messages.map(({ content }) => content),
        ["Count for the user.", "What is 6 times 7?"],
      );
      const execution = await platform.json<Execution>("GET", `/executions/${answer.executionId}`);
      const steps = JSON.parse(execution.executionData) as { nodeId: string; nodeLabel: string }[];
      assert.deepEqual(
        steps.map(({ nodeId, nodeLabel }) => [nodeId, nodeLabel]),
        [
          ["startAgentflow_0", "My startAgentflow"],
          ["agentAgentflow_0", "My agentAgentflow"],
          ["directReplyAgentflow_0", "My directReplyAgentflow"],
        ],
      );
    });

    it("take what callers override by the names of their own dialect, where they allow it", async (t) => {
      const { platform, model } = await open(t, databases, () => ({ text: "Done." }));
      const llm = { ...llmWithState, llmModelConfig: { modelName: "gpt-4o-mini", temperature: 0.9 } };
      const begin = { startInputType: "chatInput", startState: [{ key: "city", value: "Ulm" }] };
      const flowData = foreignFlow(["startAgentflow_0", begin], ["llmAgentflow_0", llm]);
      const enabled = (...names: string[]) =>
        names.map((name) => ({ label: name, name, type: "string", enabled: true }));
      const nodes = {
        "My startAgentflow": enabled("startState"),
        "My llmAgentflow": [
          ...enabled("llmMessages", "llmModel", "llmModelConfig"),
          { label: "Memory", name: "llmEnableMemory", type: "boolean", enabled: false },
        ],
      };
      const apiConfig = JSON.stringify({ overrideConfig: { status: true, nodes } });
      const body = { name: "Overridden", type: "AGENTFLOW", flowData, apiConfig };
      const { id } = await platform.json<{ id: string }>("POST", "/chatflows", body);
      const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "client" });
      const send = (overrideConfig: Inputs) =>
        platform.send(
          "POST",
          `/prediction/${id}`,
          { question: "Hi", overrideConfig },
          { authorization: `Bearer ${apiKey}` },
        );
      const ask = async (overrideConfig: Inputs) => {
        const answer = (await (await send(overrideConfig)).json()) as Warned;
        const request = model.requests.at(-1)?.body ?? assert.fail("the model was asked");
        const { temperature, model: name } = request;
        const ignored = answer.metadata.warnings.flatMap(({ message }) =>
          [...message.matchAll(/overrideConfig\.(\w+)/g)].map(([, name]) => name),
        );
        return { texts: request.messages.map(({ content }) => content), name, temperature, ignored };
      };

      const usual = { texts: ["The city is Ulm.", "Hi"], name: "gpt-4o-mini", temperature: 0.9, ignored: [] };
      assert.deepEqual(await ask({ sessionId: "s-1" }), usual);
      assert.deepEqual(await ask({ sessionId: "s-2", startState: [{ key: "city", value: "Köln" }] }), {
        ...usual,
        texts: ["The city is Köln.", "Hi"],
      });
      const more = [{ role: "developer", content: "<p>Be <strong>brief</strong>.</p>" }];
      assert.deepEqual(await ask({ sessionId: "s-3", llmMessages: more }), {
        ...usual,
        texts: ["The city is Ulm.", "Be **brief**.", "Hi"],
      });
      assert.deepEqual(await ask({ sessionId: "s-4", llmModelConfig: { llmAgentflow_0: { temperature: 0.1 } } }), {
        ...usual,
        temperature: 0.1,
      });
      assert.deepEqual(await ask({ sessionId: "s-6", llmModelConfig: { temperature: 7 } }), {
        ...usual,
        ignored: ["llmModelConfig"],
      });
      const stolen = { modelName: "other", basepath: "http://127.0.0.1:9/v1" };
      assert.deepEqual(await ask({ sessionId: "s-5", llmModelConfig: stolen, llmEnableMemory: false, unknown: 1 }), {
        ...usual,
        ignored: ["llmModelConfig", "llmEnableMemory", "unknown"],
      });
      const refused = await send({ llmModel: "chatNobody" });
      assert.equal(refused.status, 422);
      assert.match(((await refused.json()) as { message: string }).message, /overrideConfig\.llmModel.*chatNobody/);
    });

    it("do not begin when a part of them cannot be used, and say which", async (t) => {
      const { platform, model } = await open(t, databases, () => ({ text: "never" }));
      const mail = { ...agent, agentTools: [{ agentSelectedTool: "awsSNS", agentSelectedToolConfig: {} }] };
      const body = { name: "Mails", type: "AGENTFLOW", flowData: foreignFlow(["agentAgentflow_0", mail]) };
      const { id } = await platform.json<{ id: string }>("POST", "/chatflows", body);
      const [finding] = await platform.json<Finding[]>("GET", `/chatflows/${id}/findings`);
      assert.equal(finding?.level, "error");
      assert.equal(finding?.nodeId, "agentAgentflow_0");
      const response = await platform.send("POST", `/prediction/${id}`, { question: "Hi" });
      assert.equal(response.status, 500);
      const problem = (await response.json()) as { code: string; message: string };
      assert.equal(problem.code, "flow-invalid");
      assert.ok(problem.message.includes(finding?.message ?? "?"), problem.message);
      assert.equal(model.requests.length, 0);
    });

    it("run when they are graphs of agents of the first version, with approvals as their clients know them", async (t) => {
      const { platform, model } = await open(t, databases, ({ messages }) =>
        messages.at(-1)?.role === "tool"
          ? { text: "It is 42." }
          : { toolCalls: [{ name: "calculator", arguments: { expression: "6 * 7" } }] },
      );
      const apiConfig = JSON.stringify({ overrideConfig: { status: true, nodes: agentPermissions } });
      const body = { name: "Team", type: "MULTIAGENT", flowData: JSON.stringify(sequentialFlow), apiConfig };
      const { id } = await platform.json<{ id: string }>("POST", "/chatflows", body);
      assert.deepEqual(await platform.json("GET", `/chatflows/${id}/findings`), []);
      const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "client" });
      const ask = async (message: object) => {
        const headers = { authorization: `Bearer ${apiKey}` };
        const answer = await platform.send("POST", `/prediction/${id}`, { chatId: "chat", ...message }, headers);
        return (await answer.json()) as { text: string; action?: { elements: { label: string }[] } };
      };
      const { action } = await ask({ question: "6 * 7?", overrideConfig: { systemMessagePrompt: "Be brief." } });
      assert.deepEqual(
        action?.elements.map(({ label }) => label),
        ["Yes", "Never"],
      );
      assert.equal((await ask({ question: "Yes", action })).text, "It is 42.");
      assert.equal(model.requests.at(-1)?.body.messages[0]?.content, "Be brief.");
    });

    it("run when they are classic chatflows, and take overrides by input and by id of a component", async (t) => {
      const { platform, model } = await open(t, databases, () => ({ text: "Bonjour" }));
      const apiConfig = JSON.stringify({ overrideConfig: { status: true, nodes: classicPermissions } });
      const body = { name: "Old", type: "CHATFLOW", flowData: JSON.stringify(classicFlow), apiConfig };
      const { id } = await platform.json<{ id: string }>("POST", "/chatflows", body);
      assert.deepEqual(await platform.json("GET", `/chatflows/${id}/findings`), []);
      const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "client" });
      const ask = async (overrideConfig: Inputs) => {
        const headers = { authorization: `Bearer ${apiKey}` };
        const answer = await platform.send("POST", `/prediction/${id}`, { question: "Hi", overrideConfig }, headers);
        const { text, metadata } = (await answer.json()) as Warned & { text: string };
        const { messages, temperature } = model.requests.at(-1)?.body ?? assert.fail("the model was asked");
        const ignored = metadata.warnings.length;
        return { text, asked: messages.map(({ content }) => content), temperature, ignored };
      };
      const usual = { text: "Bonjour", asked: ["Say Hi in French."], temperature: 0.9, ignored: 0 };
      assert.deepEqual(await ask({}), usual);
      assert.deepEqual(await ask({ temperature: 0.1 }), { ...usual, temperature: 0.1 });
      assert.deepEqual(await ask({ temperature: { chatOpenAI_0: 0.2 } }), { ...usual, temperature: 0.2 });
      assert.deepEqual(await ask({ promptValues: { language: "Welsh" } }), { ...usual, asked: ["Say Hi in Welsh."] });
      assert.deepEqual(await ask({ temperature: 0 }), { ...usual, ignored: 1 });
      assert.deepEqual(await ask({ template: "Anything" }), { ...usual, ignored: 1 });
    });
  });
});

function component(id: string, category: string, inputs: Inputs) {
  const name = id.replace(/_\d+$/, "");
  return { id, type: "customNode", position: { x: 0, y: 0 }, data: { id, name, label: name, category, inputs } };
}

const classicFlow = {
  nodes: [
    component("chatOpenAI_0", "Chat Models", { modelName: "gpt-4o-mini", temperature: 0.9 }),
    component("promptTemplate_0", "Prompts", {
      template: "Say {text} in {language}.",
      promptValues: '{"language":"French"}',
    }),
    component("llmChain_0", "Chains", {
      model: "{{chatOpenAI_0.data.instance}}",
      prompt: "{{promptTemplate_0.data.instance}}",
    }),
  ],
  edges: [
    { source: "chatOpenAI_0", target: "llmChain_0" },
    { source: "promptTemplate_0", target: "llmChain_0" },
  ],
};

const sequentialFlow = {
  nodes: [
    component("chatOpenAI_0", "Chat Models", { modelName: "gpt-4o-mini" }),
    component("calculator_0", "Tools", {}),
    component("agentMemory_0", "Memory", {}),
    component("seqStart_0", "Sequential Agents", {
      model: "{{chatOpenAI_0.data.instance}}",
      agentMemory: "{{agentMemory_0.data.instance}}",
    }),
    component("seqAgent_0", "Sequential Agents", {
      agentName: "Counter",
      sequentialNode: ["{{seqStart_0.data.instance}}"],
      systemMessagePrompt: "Count.",
      tools: ["{{calculator_0.data.instance}}"],
      interrupt: true,
      rejectButtonText: "Never",
    }),
  ],
  edges: [],
};

const agentPermissions = {
  seqAgent: [{ label: "System Prompt", name: "systemMessagePrompt", type: "string", enabled: true }],
};

const classicPermissions = {
  chatOpenAI: [{ label: "Temperature", name: "temperature", type: "number", enabled: true }],
  promptTemplate: [{ label: "Values", name: "promptValues", type: "json", enabled: true }],
};
