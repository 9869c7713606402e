import { randomUUID } from "node:crypto";
import { flowOf } from "../../../test-platform.ts";
import type { Scenario, Scenarios } from "../scenario.ts";
import type { World } from "../world.ts";
import * as strangePage from "./strange-page.ts";

/** A flow that begins with these settings of its start node, and says hello. */
function flowWith(start: object): string {
  const flow = JSON.parse(flowOf("direct-reply", "Reply", { message: "Hello" }));
  flow.nodes[0].config = start;
  return JSON.stringify(flow);
}

async function agentWith(world: World, start: object, fields: Record<string, string> = {}) {
  const { id } = await world.create("createAgent", { flowData: flowWith(start), ...fields });
  return { params: { id } };
}

const open = { input: "webhook", webhook: { auth: { type: "none" } } };
const later = { input: "webhook", webhook: { auth: { type: "none" }, response: "async" } };
const scheduled = (world: World) => agentWith(world, { input: "schedule", schedule: { cron: "0 9 * * *" } });

/** A message that an agent owes to an address that nobody answers at. */
async function undelivered({ platform, ...world }: World) {
  const callbackUrl = "http://127.0.0.1:9/";
  const webhook = { ...later.webhook, callbackUrl };
  const { params } = await agentWith({ platform, ...world }, { input: "webhook", webhook });
  await platform.send("POST", `/webhook/${params.id}`, {});
  const deliveryId = await platform.until(async () => {
    const path = `/chatflows/${params.id}/deliveries`;
    return (await platform.json<{ data: { id: string }[] }>("GET", path)).data[0]?.id;
  });
  return { params: { ...params, deliveryId } };
}

const webhook: Scenario = {
  valid: async (world) => ({ ...(await agentWith(world, open)), body: {} }),
  special: {
    202: {
      how: "a request to a flow that answers later",
      request: async (world) => ({ ...(await agentWith(world, later)), body: {} }),
    },
    401: {
      how: "a request without a signature",
      async request(world, operation) {
        const { params } = await agentWith(world, { input: "webhook" });
        await world.platform.send("POST", `/chatflows/${params.id}/webhook-secret`);
        return world.send(operation, { params, body: {} });
      },
    },
    403: {
      how: strangePage.how,
      async request(world) {
        const { chatbotConfig, headers } = strangePage;
        return { ...(await agentWith(world, open, { chatbotConfig })), body: {}, headers };
      },
    },
    409: {
      how: "a delivery's name that was used for another request",
      async request(world, operation) {
        const { params } = await agentWith(world, open);
        const headers = { "idempotency-key": randomUUID() };
        await world.send(operation, { params, body: { n: 1 }, headers });
        return { params, body: { n: 2 }, headers };
      },
    },
    415: {
      how: "a form of several parts",
      request: async (world) => ({ ...(await agentWith(world, open)), body: new FormData() }),
    },
    429: {
      how: "more calls than the agent's limit",
      async request(world, operation) {
        const apiConfig = JSON.stringify({ rateLimit: { limitMax: 1, limitDuration: 60, limitMsg: "Later." } });
        const parts = { ...(await agentWith(world, open, { apiConfig })), body: {} };
        await world.send(operation, parts);
        return parts;
      },
    },
  },
};

export const triggerScenarios: Scenarios = {
  callWebhook: webhook,
  callWebhookOfApi: webhook,
  createWebhookSecret: { valid: (world) => agentWith(world, open) },
  getWebhookSecretState: { valid: (world) => agentWith(world, open) },
  deleteWebhookSecret: { valid: (world) => agentWith(world, open) },
  listCallbackDeliveries: { valid: undelivered },
  resendCallbackDelivery: { valid: undelivered },
  listSchedules: { valid: () => ({}) },
  getScheduleStatus: { valid: scheduled },
  listScheduleLogs: { valid: scheduled },
  setScheduleEnabled: {
    valid: async (world) => ({ ...(await scheduled(world)), body: { enabled: true } }),
    special: {
      409: {
        how: "an agent that has no schedule",
        request: async (world) => ({ ...(await agentWith(world, open)), body: { enabled: true } }),
      },
    },
  },
};
