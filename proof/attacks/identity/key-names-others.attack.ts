import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";

type Ids = { agent: string; store: string; credential: string; tool: string };

const withTool = (type: string, config: object) => ({ tools: [{ type, config }] });

/** Steps by which a flow comes to what is not the key's. */
const ways: Record<string, (ids: Ids) => [type: string, config: object]> = {
  "a step that calls an agent": ({ agent }) => ["execute-flow", { agentId: agent }],
  "an agent as a tool": ({ agent }) => ["agent", withTool("agent", { agentId: agent })],
  "an agent as the tool of a step": ({ agent }) => ["tool", { tool: { type: "agent", config: { agentId: agent } } }],
  "an agent that a template names": () => ["execute-flow", { agentId: "{{ question }}" }],
  "a step that searches a store": ({ store }) => ["retriever", { stores: [{ storeId: store }] }],
  "a store as knowledge": ({ store }) => ["agent", { knowledge: [{ storeId: store, name: "k" }] }],
  "a variable in a text": () => ["direct-reply", { message: "{{ $vars.secret }}" }],
  "a variable in code": () => ["custom-function", { code: "return $vars.secret;" }],
  "a variable in an address": () => ["http", { url: "https://x.example/{{ $vars.secret }}" }],
  "a credential of a step": ({ credential }) => ["http", { url: "https://x.example", credential }],
  "a credential of a model": ({ credential }) => ["llm", { model: { provider: "openai", credential } }],
  "a custom tool": ({ tool }) => ["agent", withTool("custom-tool", { toolId: tool })],
};

const flowOf = ([type, config]: [type: string, config: object]) =>
  JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start", type: "start", label: "Start" },
      { id: "step", type, label: "Step", config },
    ],
    edges: [{ id: "e", source: "start", target: "step" }],
  });

export const attack = defineAttack({
  name: "a key for one agent has it call others, read stores and use what the key may not",
  async run(house) {
    const secret = house.plant();
    const made = async (path: string, body: object) => (await house.owner<{ id: string }>("POST", path, body)).id;
    await made("/variables", { name: "secret", value: secret });
    const reply = { name: "Agent", flowData: flowOf(["direct-reply", { message: secret }]) };
    const [agent, own] = [await made("/chatflows", reply), await made("/chatflows", reply)];
    const ids = {
      agent,
      store: await made("/document-store/store", { name: "Store" }),
      credential: await house.credential(secret),
      tool: await made("/tools", { name: "add", description: "Adds", schema: "[]", func: `return "${secret}";` }),
    };
    const holder = await house.keyHolder({ permissions: ["agents:read", "agents:write"], agents: [own] });
    const before = await house.owner("GET", `/chatflows/${own}`);
    for (const [way, toStep] of Object.entries(ways)) {
      for (const path of [`/api/v1/chatflows/${own}`, `/api/v1/chatflows/${own}/draft`]) {
        const { status } = await holder.send("PUT", path, { flowData: flowOf(toStep(ids)) });
        assert.equal(status, 403, `${way} was saved.`);
      }
    }
    assert.deepEqual(await house.owner("GET", `/chatflows/${own}`), before);
    return `${Object.keys(ways).length} ways were refused, as the agent and as its draft.`;
  },
});
