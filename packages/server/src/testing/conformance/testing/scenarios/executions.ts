import { flowOf } from "../../../test-platform.ts";
import type { Scenarios, Special } from "../scenario.ts";
import type { Parts, World } from "../world.ts";

async function finished(world: World): Promise<Parts> {
  const { executionId } = await world.turn();
  return { params: { id: executionId } };
}

async function ask(world: World, flowData: string) {
  const { id } = await world.create("createAgent", { flowData });
  const response = await world.platform.send("POST", `/prediction/${id}`, { question: `Hello ${world.next()}` });
  return (await response.json()) as { executionId?: string };
}

/** A run that waits for a person. */
async function waiting(world: World): Promise<Parts> {
  const { executionId = "" } = await ask(world, flowOf("human-input", "Ask", { question: "Well?" }));
  return { params: { id: executionId } };
}

/** A run that waits for a day, or the signal `go`. */
async function pausing(world: World): Promise<Parts> {
  const { executionId = "" } = await ask(world, flowOf("wait", "Pause", { amount: "1", unit: "days", signal: "go" }));
  return { params: { id: executionId, name: "go" } };
}

/** A run whose model failed. */
async function failed(world: World): Promise<Parts> {
  const agentId = await world.agent();
  world.model.fails = true;
  await world.platform.send("POST", `/prediction/${agentId}`, { question: `Hello ${world.next()}` });
  world.model.fails = false;
  const list = await world.platform.send("GET", `/executions?agentflowId=${agentId}`);
  const { data } = (await list.json()) as { data: { id: string }[] };
  return { params: { id: data[0]?.id ?? "" } };
}

const proceed = { type: "proceed" };
const ended: Special = { how: "a run that is over", request: finished };

export const executionScenarios: Scenarios = {
  cancelExecution: { valid: waiting, special: { 409: ended } },
  retryExecution: { valid: failed, special: { 409: { ...ended, how: "a run that did not fail" } } },
  replayExecution: {
    valid: async (world) => ({ ...(await finished(world)), body: { nodeId: "start_0" } }),
    special: {
      409: {
        how: "a run that never came to the step",
        request: async (world) => ({ ...(await finished(world)), body: { nodeKey: "start_0#7" } }),
      },
    },
  },
  answerExecution: {
    valid: async (world) => ({ ...(await waiting(world)), body: proceed }),
    special: {
      409: {
        how: "a run that does not wait",
        request: async (world) => ({ ...(await finished(world)), body: proceed }),
      },
    },
  },
  signalExecution: {
    valid: async (world) => ({ ...(await pausing(world)), body: {} }),
    special: {
      409: {
        how: "a run that does not wait for the signal",
        async request(world) {
          const { params } = await pausing(world);
          return { params: { ...params, name: "stop" }, body: {} };
        },
      },
    },
  },
  deleteExecution: { valid: finished },
  deleteExecutions: {
    valid: async (world) => ({ body: { executionIds: [(await finished(world)).params?.id ?? ""] } }),
  },
};
