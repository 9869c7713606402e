import { randomUUID } from "node:crypto";
import type { Attack } from "../house/define-attack.ts";
import { answerMcp } from "../house/mcp-service.ts";
import type { FlowSketch, House } from "../house/open-house.ts";
import { agentFlow, callsOnce, httpFlow, llmFlow, orderTool } from "../house/sketches.ts";
import {
  fetched,
  form,
  ofKey,
  predict,
  type Send,
  type Surface,
  sendForm,
  store,
  toAttack,
} from "../house/text-surface.ts";

/** What a model calls a tool with. */
async function called(house: House, tool: { type: string; config: object }, toArguments: (text: string) => string) {
  const agent = await house.agent(agentFlow({ tools: [tool] }));
  const visitor = house.visitor();
  const send: Send = async (text) => {
    const toolCalls = [{ name: "code_interpreter", arguments: toArguments(text) }];
    house.script(({ messages }) => (messages.at(-1)?.role === "tool" ? { text: "Done." } : { toolCalls }));
    return (await visitor.send("POST", predict(agent), { question: "Hi" })).status;
  };
  return send;
}

/** A flow of an author, who saves it with each text and asks it. */
async function authored(house: House, toNode: (text: string) => { type: string; config: object }): Promise<Send> {
  const author = await house.keyHolder({ permissions: ["*"] });
  return async (text) => {
    const agent = await house.agent({ nodes: [{ id: "step", ...toNode(text) }] });
    return (await author.send("POST", predict(agent), { question: "Hi" })).status;
  };
}

/** A file that a store reads by its name's ending, with the text where it is read. */
const fileOf = (name: string, toBytes = (text: string) => text): Surface => ({
  name: `a file ${name} of a store`,
  // Longer ones are embedded for seconds.
  length: 60_000,
  async open(house) {
    const path = `/api/v1/document-store/upsert/${await store(house)}`;
    const caller = await house.keyHolder({ permissions: ["*"] });
    return (text) => sendForm(caller, path, form({}, { name, bytes: toBytes(text) }));
  },
});

/** A server of MCP with one tool, which says the text, or is described by it. */
async function ofMcp(house: House, part: "result" | "description"): Promise<Send> {
  let said = "";
  const toTool = () => ({ name: "get_order", description: part === "description" ? said : "Gets an order" });
  const shop = await house.shop(answerMcp(toTool, () => (part === "result" ? said : "Sent")));
  const agent = await house.agent(agentFlow({ tools: [{ type: "mcp-server", config: { url: shop.url } }] }));
  const visitor = house.visitor();
  house.script(callsOnce("get_order", {}));
  return async (text) => {
    said = text;
    return (await visitor.send("POST", predict(agent), { question: "Hi" })).status;
  };
}

const surfaces: readonly Surface[] = [
  {
    name: "a question of a key",
    async open(house) {
      return ofKey(house, predict(await house.agent(llmFlow())), (question) => ({ question }));
    },
  },
  {
    name: "a question whose answer is streamed",
    async open(house) {
      const path = predict(await house.agent(llmFlow()));
      return ofKey(house, path, (question) => ({ question, streaming: true }));
    },
  },
  {
    name: "a question in a form",
    async open(house) {
      const path = predict(await house.agent(llmFlow()));
      return async (question) => sendForm(house.visitor(), path, form({ question: question.slice(0, 20_000) }));
    },
  },
  {
    name: "an attachment",
    async open(house) {
      const path = `/api/v1/attachments/${await house.agent(llmFlow())}`;
      const send = (bytes: string) => form({}, { name: "a.html", bytes });
      return (text) => sendForm(house.visitor(), `${path}/${randomUUID()}`, send(text));
    },
  },
  {
    name: "a query of a store",
    async open(house) {
      const storeId = await store(house);
      return ofKey(house, "/api/v1/document-store/vectorstore/query", (query) => ({ storeId, query }));
    },
  },
  {
    name: "a preview of a loader",
    open: (house) =>
      ofKey(house, "/api/v1/document-store/loader/preview", (text) => ({
        loaderId: "plainText",
        loaderConfig: { text },
        splitterId: "markdownTextSplitter",
      })),
  },
  fileOf("a.html"),
  fileOf("a.md"),
  fileOf("a.csv", (text) => `name,place\nAda,${text}\n`),
  fileOf("a.eml", (text) => `Subject: ${text}\r\n\r\n${text}`),
  {
    name: "a variable",
    open: (house) => ofKey(house, "/api/v1/variables", (value) => ({ name: randomUUID(), value })),
  },
  {
    name: "the instructions of an assistant",
    open: (house) =>
      ofKey(house, "/api/v1/assistants", (instructions) => ({
        details: { name: "A", model: "scripted", instructions },
      })),
  },
  {
    name: "the code of a function",
    harmless: "return 1",
    open: (house) => authored(house, (code) => ({ type: "custom-function", config: { code } })),
  },
  {
    name: "the code of a custom tool",
    open: (house) =>
      ofKey(house, "/api/v1/tools", (func) => ({ name: "a", description: "a", color: "#6366f1", schema: "[]", func })),
  },
  {
    name: "code that a model writes",
    open: (house) => called(house, { type: "code-interpreter", config: {} }, (code) => JSON.stringify({ code })),
  },
  {
    name: "what a model calls a tool with",
    open: (house) => called(house, { type: "code-interpreter", config: {} }, (text) => text),
  },
  {
    name: "the instructions of a step",
    open: (house) =>
      authored(house, (content) => ({ type: "llm", config: { messages: [{ role: "system", content }] } })),
  },
  {
    name: "the body of a request",
    harmless: "{}",
    async open(house) {
      const { url } = await house.shop();
      return authored(house, (body) => ({ type: "http", config: { method: "POST", url, bodyType: "json", body } }));
    },
  },
  {
    name: "a description of a request",
    open: (house) =>
      ofKey(house, "/api/v1/flows/requests", (url) => ({
        type: "request-get",
        config: { url: `https://a.example/${url}` },
      })),
  },
  {
    name: "the words of a person who is asked",
    async open(house) {
      const agent = await house.agent({ nodes: [{ id: "ask", type: "human-input" }] });
      const caller = await house.keyHolder({ permissions: ["*"] });
      return async (feedback) => {
        const chatId = randomUUID();
        await caller.send("POST", predict(agent), { question: "Hi", chatId });
        const humanInput = { type: "proceed", feedback };
        return (await caller.send("POST", predict(agent), { chatId, humanInput })).status;
      };
    },
  },
  { name: "what a server of MCP answers", open: (house) => ofMcp(house, "result") },
  { name: "how a server of MCP describes its tools", open: (house) => ofMcp(house, "description") },
  {
    name: "a page of the web",
    length: 1_000_000,
    async open(house) {
      let said = "";
      const shop = await house.shop((_, response) => response.setHeader("content-type", "text/html").end(said));
      const agent = await house.agent(agentFlow({ tools: [{ type: "web-page", config: {} }] }));
      house.script(callsOnce("read_web_page", { url: shop.url }));
      const visitor = house.visitor();
      return async (text) => {
        said = `<html><body>${text}</body></html>`;
        return (await visitor.send("POST", predict(agent), { question: "Hi" })).status;
      };
    },
  },
  {
    name: "an error of a service",
    async open(house) {
      let said = "";
      const shop = await house.shop((_, response) => response.writeHead(500).end(said));
      const credential = await house.credential("abcdefgh");
      const agent = await house.agent(orderTool(`${shop.url}/orders`, { credential }));
      house.script(callsOnce("get_order", { id: "1" }));
      const visitor = house.visitor();
      return async (text) => {
        said = text;
        return (await visitor.send("POST", predict(agent), { question: "Hi" })).status;
      };
    },
  },
  { name: "an answer of a service of nested JSON", open: (house) => nested(house, (url) => httpFlow({ url })) },
  {
    name: "the result of a tool of nested JSON",
    open: (house) => nested(house, (url) => orderTool(url, { parameters: {} })),
  },
];

/** What a called service says, beside 50,000 lists. */
async function nested(house: House, toSketch: (url: string) => FlowSketch): Promise<Send> {
  const send = await fetched(house, toSketch);
  const lists = Array.from({ length: 50_000 }, (_, index) => [index]);
  return (text) => send(JSON.stringify({ text, lists }));
}

export const attacks: readonly Attack[] = surfaces.map(toAttack);
