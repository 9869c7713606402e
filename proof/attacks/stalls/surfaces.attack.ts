import { randomUUID } from "node:crypto";
import type { Attack } from "../house/define-attack.ts";
import { agentFlow, functionFlow, httpFlow, llmFlow } from "../house/sketches.ts";
import {
  answered,
  asked,
  fetched,
  form,
  json,
  ofKey,
  predict,
  type Surface,
  sendForm,
  store,
  toAttack,
} from "../house/text-surface.ts";

const surfaces: readonly Surface[] = [
  { name: "a question", open: (house) => asked(house, (question) => ({ question })) },
  {
    name: "an entry of a history",
    length: 400_000,
    async open(house) {
      const path = predict(await house.agent(llmFlow()));
      return ofKey(house, path, (content) => ({ question: "Hi", history: [{ role: "userMessage", content }] }));
    },
  },
  { name: "a value of a form", open: (house) => asked(house, (value) => ({ form: { a: value } })) },
  {
    name: "an override",
    open: (house) => asked(house, (value) => ({ question: "Hi", overrideConfig: { vars: { a: value } } })),
  },
  {
    name: "a file of a message",
    async open(house) {
      const path = predict(await house.agent(llmFlow()));
      return async (text) => sendForm(house.visitor(), path, form({ question: "Hi" }, { name: "a.txt", bytes: text }));
    },
  },
  {
    name: "a large upload to a store",
    length: 3_000_000,
    async open(house) {
      const path = `/api/v1/document-store/store/${await store(house)}/upserts`;
      const caller = await house.keyHolder({ permissions: ["*"] });
      return (bytes) => sendForm(caller, path, form({}, { name: "a.bin", bytes }));
    },
  },
  {
    name: "the body of an upsert",
    async open(house) {
      const path = `/api/v1/document-store/store/${await store(house)}/upserts`;
      return ofKey(house, path, (text) => ({ loader: { name: "plainText", config: { text } } }));
    },
  },
  {
    name: "a file of questions",
    harmless: "[]",
    length: 1_000_000,
    async open(house) {
      const path = `/api/v1/document-store/store/${await store(house)}/question-file`;
      return ofKey(house, path, (text) => ({ text: `questions: ${text}` }));
    },
  },
  {
    name: "the schema of a custom tool",
    harmless: "[]",
    open: (house) =>
      ofKey(house, "/api/v1/tools", (schema) => ({
        name: "a",
        description: "a",
        color: "#6366f1",
        schema,
        func: "return 1",
      })),
  },
  {
    name: "a flow",
    harmless: JSON.stringify({ weft: 1, nodes: [], edges: [] }),
    open: (house) => ofKey(house, "/api/v1/chatflows", (flowData) => ({ name: "a", flowData })),
  },
  {
    name: "a text of a flow of another builder",
    open: (house) =>
      ofKey(house, "/api/v1/flows/read", (text) => ({
        files: [{ name: "a.json", text: JSON.stringify(foreignFlow(text)) }],
      })),
  },
  {
    name: "a file that is imported",
    harmless: "kind: workflow",
    open: (house) => ofKey(house, "/api/v1/flows/read", (text) => ({ files: [{ name: "a.yaml", text }] })),
  },
  {
    name: "an OpenAPI document",
    harmless:
      'openapi: 3.0.0\ninfo: { title: a, version: "1" }\nservers: [{ url: https://a.example }]\npaths: { /a: { get: { operationId: a, responses: {} } } }',
    async open(house) {
      const agentOf = (yamlFile: string) => agentFlow({ tools: [{ type: "openapi-toolkit", config: { yamlFile } }] });
      const visitor = house.visitor();
      return async (text) => {
        const agent = await house.agent(agentOf(text));
        return (await visitor.send("POST", predict(agent), { question: "Hi" })).status;
      };
    },
  },
  {
    name: "the words of a feedback",
    async open(house) {
      const agent = await house.agent(llmFlow());
      const caller = await house.keyHolder({ permissions: ["*"] });
      const chatId = randomUUID();
      const answer = await caller.send("POST", predict(agent), { question: "Hi", chatId });
      const { chatMessageId: messageId } = answer.json<{ chatMessageId: string }>();
      const rated = { chatflowid: agent, chatId, messageId, rating: "THUMBS_UP" };
      return json(caller, "/api/v1/feedback", (content) => ({ ...rated, content }));
    },
  },
  {
    name: "a lead",
    async open(house) {
      const chatflowid = await house.agent(llmFlow());
      return json(house.visitor(), "/api/v1/leads", (name) => ({
        chatflowid,
        chatId: randomUUID(),
        name,
        email: "a@a.example",
      }));
    },
  },
  {
    name: "headers",
    length: 8_000,
    async open(house) {
      const path = predict(await house.agent(llmFlow()));
      return async (text) => {
        const value = text.replaceAll(/[^\x20-\x7e]/g, " ");
        const names = ["cookie", "prefer", "accept", "x-forwarded-for", "traceparent", "user-agent"];
        const caller = house.visitor();
        const sent = names.map((name) =>
          caller.send("POST", path, { question: "Hi" }, { headers: { [name]: `a${value}a` } }),
        );
        return Math.max(...(await Promise.all(sent)).map(({ status }) => status));
      };
    },
  },
  {
    name: "a webhook",
    async open(house) {
      const nodes = [
        {
          id: "start",
          type: "start",
          config: { input: "webhook", webhook: { question: "{{ $webhook.body.a }}", auth: { type: "none" } } },
        },
        { id: "llm", type: "llm" },
      ];
      return json(house.visitor(), `/webhook/${await house.agent({ nodes })}`, (a) => ({ a }));
    },
  },
  {
    name: "the door of OpenAI's clients",
    async open(house) {
      const model = await house.agent(llmFlow());
      return ofKey(house, "/v1/chat/completions", (content) => ({ model, messages: [{ role: "user", content }] }));
    },
  },
  {
    name: "a message of MCP",
    async open(house) {
      const call = (text: string) => ({ name: text.slice(0, 100), arguments: { question: text } });
      return ofKey(house, "/api/v1/mcp", (text) => ({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: call(text),
      }));
    },
  },
  { name: "an answer of a model", length: 400_000, open: (house) => answered(house, llmFlow()) },
  { name: "an answer of a model without end", length: 20_000_000, open: (house) => answered(house, llmFlow()) },
  {
    name: "a structured answer",
    harmless: '{"a":"b"}',
    open: (house) =>
      answered(house, llmFlow({ structuredOutput: { type: "object", properties: { a: { type: "string" } } } })),
  },
  {
    name: "an answer of a service",
    length: 4_900_000,
    open: (house) => fetched(house, (url) => httpFlow({ url })),
  },
  {
    name: "the result of a tool",
    length: 4_900_000,
    open: (house) =>
      fetched(house, (url) => agentFlow({ tools: [{ type: "request-get", config: { url, name: "get_order" } }] })),
  },
  {
    name: "the result of an operation of an OpenAPI document",
    length: 4_900_000,
    open: (house) =>
      fetched(house, (url) =>
        agentFlow({ tools: [{ type: "openapi-toolkit", config: { yamlFile: documentOf(url) } }] }),
      ),
  },
  {
    name: "what code returns",
    async open(house) {
      return json(house.visitor(), predict(await house.agent(functionFlow("return $flow.input"))), (question) => ({
        question,
      }));
    },
  },
];

const documentOf = (url: string) => `openapi: 3.0.0
info: { title: a, version: "1" }
servers: [{ url: "${url}" }]
paths: { /a: { get: { operationId: get_order, responses: { "200": { description: ok } } } } }`;

function foreignFlow(text: string) {
  const inputs = {
    systemMessagePrompt: text,
    humanMessagePrompt: text,
    messageHistory: text,
    llmMessages: [{ role: "user", content: `<p>${text}` }],
  };
  const node = { id: "llmChain_0", data: { name: "llmChain", type: "LLMChain", label: "LLM Chain", inputs } };
  return { nodes: [node], edges: [] };
}

export const attacks: readonly Attack[] = surfaces.map(toAttack);
