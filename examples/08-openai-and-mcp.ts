// Talks to an agent as OpenAI clients do, where every agent is a model, and as MCP clients do, where each is a tool.
import { call, check, makeAgent, post } from "./weft.ts";

const agentId = await makeAgent(
  "Greeter of the example",
  [
    { id: "start", type: "start" },
    { id: "agent", type: "agent", config: { messages: [{ role: "system", content: "You greet people." }] } },
  ],
  [{ id: "e", source: "start", target: "agent" }],
);

type Completion = { choices: { message: { content: string } }[] };
const completion = await call<Completion>("/v1/chat/completions", {
  model: agentId,
  messages: [{ role: "user", content: "Good morning" }],
});
const content = completion.choices[0]?.message.content ?? "";
check(content !== "", "The agent said nothing.");
console.log(`As an OpenAI model: ${content}`);

// MCP offers agents that are deployed.
await post(`chatflows/${agentId}`, { deployed: true }, { method: "PUT" });

type Listed = { result: { tools: { name: string }[] } };
type Called = { result: { content: { text: string }[]; isError?: boolean } };
const url = `/api/v1/mcp/${agentId}`;
const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
let id = 0;
async function mcp<T>(method: string, params: object): Promise<T> {
  id += 1;
  const answer = await post(url, { jsonrpc: "2.0", id, method, params }, { headers });
  const text = await answer.text();
  return JSON.parse(text.match(/^data: ?(.*)$/m)?.[1] ?? text) as T;
}

const { result } = await mcp<Listed>("tools/list", {});
const tool = result.tools[0]?.name ?? "";
check(tool !== "", "MCP lists no tool.");
const called = await mcp<Called>("tools/call", { name: tool, arguments: { question: "Good morning" } });
check(called.result.isError !== true, JSON.stringify(called));
console.log(`As the MCP tool ${tool}: ${called.result.content[0]?.text}`);
