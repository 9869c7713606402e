import { llmFlow } from "../../../test-platform.ts";
import type { Scenarios } from "../scenario.ts";
import type { World } from "../world.ts";

async function firstVersion(world: World) {
  return { params: { id: await world.agent(), number: "1" } };
}

export const agentScenarios: Scenarios = {
  getAgentByApiKey: {
    async valid(world) {
      const { id } = await world.create("createApiKey");
      await world.create("createAgent", { apikeyid: id, flowData: llmFlow() });
      return { params: { apikey: id } };
    },
    special: {
      400: { how: "a key with a space in it", request: () => ({ params: { apikey: "a key" } }) },
      404: { how: "a key that no agent is bound to", request: () => ({ params: { apikey: "wk_unknown" } }) },
    },
  },
  getAgentVersion: { valid: firstVersion },
  restoreAgentVersion: { valid: firstVersion },
  updateAgentVersion: {
    valid: async (world) => ({
      ...(await firstVersion(world)),
      body: { name: "Careful refunds", note: "Asks before refunds" },
    }),
  },
  createAssistant: { valid: (world) => ({ body: { details: { name: `Assistant ${world.next()}` } } }) },
  getAssistant: {
    special: {
      422: { how: "the id of an agent", request: async (world) => ({ params: { id: await world.agent() } }) },
    },
  },
};
