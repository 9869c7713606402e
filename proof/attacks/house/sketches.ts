import type { FlowSketch, ModelScript } from "./open-house.ts";

const single =
  (type: string) =>
  (config: object = {}): FlowSketch => ({ nodes: [{ id: type, type, config }] });

export const llmFlow = single("llm");
export const httpFlow = single("http");
export const agentFlow = single("agent");

/** A flow whose only step runs code. */
export function functionFlow(code: string, more: object = {}): FlowSketch {
  return single("custom-function")({ code, ...more });
}

/** An agent with one GET integration, `get_order`, that takes an id. */
export function orderTool(url: string, more: object = {}): FlowSketch {
  const parameters = { id: { type: "string", in: "path", required: true, description: "Id of the order" } };
  const config = { url, name: "get_order", description: "Gets an order", parameters, ...more };
  return agentFlow({ tools: [{ type: "request-get", config }] });
}

/** A model that calls a tool once, and then repeats what the tool said. */
export function callsOnce(name: string, toolArguments: Record<string, unknown>): ModelScript {
  return ({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== "tool") return { toolCalls: [{ name, arguments: toolArguments }] };
    return { text: `The tool said: ${toText(last.content)}` };
  };
}

export function toText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
