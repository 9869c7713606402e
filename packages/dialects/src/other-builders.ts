import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  textOrEmpty,
  toJsonList,
  toJsonObject,
} from "@weft/schema";
import type { ImportFile } from "./imported-flow.ts";

type Builder = { name: string; advice: string; wrote(text: string, document: JsonObject): boolean };

/** Builders whose files have no native form, by what their files look like, and what can be done with them here. */
const builders: readonly Builder[] = [
  {
    name: "n8n",
    advice:
      "Keep the workflow in n8n and call its webhook with an HTTP step or a request tool, or add its MCP Server Trigger as an MCP server; or draw it here: an HTTP step for a request, a function for a Code node, an agent for an AI Agent.",
    wrote: (_text, { nodes, connections }) =>
      isJsonObject(connections) &&
      toJsonList(nodes).some((node) => /n8n-nodes|^n8n\./.test(textOrEmpty(toJsonObject(node).type))),
  },
  {
    name: "Langflow",
    advice:
      "Keep the flow in Langflow and call its API (POST /api/v1/run/ID) with an HTTP step, or add its project as an MCP server; or draw it here: its prompts into LLM steps and agents, its files into a document store.",
    wrote: (_text, { data }) =>
      toJsonList(toJsonObject(data).nodes).some((node) => isJsonObject(toJsonObject(toJsonObject(node).data).node)),
  },
  {
    name: "Dify",
    advice:
      "Keep the app in Dify and call its API (POST /v1/chat-messages or /v1/workflows/run) with an HTTP step and a bearer token, or publish it as an MCP server; or draw it here: its prompts into LLM steps and agents, its knowledge into a document store.",
    wrote: (text, { kind, app }) =>
      (kind === "app" && isJsonObject(app)) ||
      (/^kind:[ \t]*["']?app["']?[ \t]*\r?$/m.test(text) && /^app:[ \t]*\r?$/m.test(text)),
  },
  {
    name: "LangGraph",
    advice:
      "It is a program, which is not run here. Serve it with LangGraph's server and add that as an MCP server (its path is /mcp), or call it with an HTTP step; or draw its graph here: nodes into steps, conditional edges into conditions, interrupts into human input.",
    wrote: (text, { graphs, dependencies }) =>
      (isJsonObject(graphs) && Array.isArray(dependencies)) ||
      /^(?:from langgraph\b|import langgraph\b)/m.test(text) ||
      /["']@langchain\/langgraph(?:["']|\/)/.test(text),
  },
  {
    name: "Sim",
    advice:
      "Deploy the workflow in Sim and call its API with an HTTP step or a request tool, or add it as an MCP server; or draw it here: an agent for an Agent block, a function for a Function block, an HTTP step for an API block.",
    wrote(text, document) {
      const { blocks, edges, workflow } = isJsonObject(document.state) ? document.state : document;
      const inner = isJsonObject(workflow) ? workflow : { blocks, edges };
      const isJson = isJsonObject(inner.blocks) && Object.values(inner.blocks).some(isBlock);
      return isJson || (/^blocks:[ \t]*\r?$/m.test(text) && /^ {4}type:[ \t]*["']?starter\b/m.test(text));
    },
  },
];

function isBlock(block: Json): boolean {
  return isJsonObject(block) && typeof block.type === "string" && ("subBlocks" in block || "inputs" in block);
}

/** Says whose a file is and what can be done with it, where it is one of another builder that is known by name. */
export function describeOther(files: readonly ImportFile[]): string | undefined {
  for (const { name, text } of files) {
    const document = toJsonObject(parseJson(text));
    const builder = builders.find(({ wrote }) => wrote(text, document));
    if (builder === undefined) continue;
    return `The file ${name.slice(0, 100)} is one of ${builder.name}, which cannot be converted. ${builder.advice}`;
  }
  return undefined;
}
