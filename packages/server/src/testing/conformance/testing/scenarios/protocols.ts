import { randomUUID } from "node:crypto";
import type { JsonObject } from "@weft/schema";
import { llmFlow } from "../../../test-platform.ts";
import type { Scenario, Scenarios, Special } from "../scenario.ts";
import type { Parts, World } from "../world.ts";

const rateLimit = JSON.stringify({ rateLimit: { status: true, limitMax: 1, limitDuration: 60, limitMsg: "Later." } });

/** A deployed agent that answers once a minute. */
async function limitedAgent(world: World): Promise<{ id: string; name: string }> {
  const name = `limited-${world.next()}`;
  const fields = { name, flowData: llmFlow(), apiConfig: rateLimit, deployed: true };
  return { id: (await world.create("createAgent", fields)).id, name };
}

/** The second of two requests that the same agent is asked by. */
function overLimit(toParts: (agent: { id: string; name: string }) => Parts): Special {
  return {
    how: "more calls than the agent's limit",
    async request(world, operation) {
      const parts = toParts(await limitedAgent(world));
      await world.send(operation, parts);
      return parts;
    },
  };
}

function message(method: string, params: JsonObject = {}): JsonObject {
  return { jsonrpc: "2.0", id: 1, method, params };
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const question = { question: "Hi" };

const mcp = (params: (world: World) => Promise<Parts>, call: Special): Scenario => ({
  valid: async (world) => ({ ...(await params(world)), body: message("tools/list") }),
  special: {
    202: {
      how: "a notification",
      request: async (world) => ({
        ...(await params(world)),
        body: { jsonrpc: "2.0", method: "notifications/initialized" },
      }),
    },
    404: {
      how: "a method that the current revision does not have",
      request: async (world) => ({
        ...(await params(world)),
        headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "initialize" },
        body: message("initialize", { _meta: meta }),
      }),
    },
    429: call,
  },
});

const hello: JsonObject = { messages: [{ role: "user", content: "Hi" }] };

export const protocolScenarios: Scenarios = {
  callAgentByMcp: mcp(
    async (world) => ({ params: { agentId: await world.agent() } }),
    overLimit(({ id, name }) => ({
      params: { agentId: id },
      body: message("tools/call", { name, arguments: question }),
    })),
  ),
  callAgentsByMcp: mcp(
    async () => ({}),
    overLimit(({ name }) => ({ body: message("tools/call", { name, arguments: question }) })),
  ),
  getServedModel: {
    valid: async (world) => ({ params: { id: await world.agent() } }),
    special: {
      400: {
        how: "a path that is no UTF-8 text",
        request: ({ platform }) =>
          platform.fetch(
            new Request("http://platform/v1/models/%ff", { headers: { authorization: `Bearer ${platform.token}` } }),
          ),
      },
      404: { how: "a name that nothing has", request: () => ({ params: { id: "nothing" } }) },
    },
  },
  createChatCompletion: {
    valid: async (world) => ({ body: { ...hello, model: await world.agent() } }),
    special: {
      404: { how: "an unknown model", request: () => ({ body: { ...hello, model: randomUUID() } }) },
      429: overLimit(({ name }) => ({ body: { ...hello, model: name } })),
      500: {
        how: "a model that fails",
        async request(world, operation) {
          const model = await world.agent();
          world.model.fails = true;
          const answer = await world.send(operation, { body: { ...hello, model } });
          world.model.fails = false;
          return answer;
        },
      },
    },
    also: [
      {
        status: 200,
        how: "a request whose answer is streamed",
        request: async (world) => ({ body: { ...hello, model: await world.agent(), stream: true } }),
      },
    ],
  },
};
