import { until } from "../../../../../../database/src/testing/until.ts";
import type { Scenarios } from "../scenario.ts";

const withoutStore = { isWithoutStore: true } as const;

export const serverScenarios: Scenarios = {
  ping: withoutStore,
  getCaller: withoutStore,
  getVersion: withoutStore,
  getLiveness: withoutStore,
  getMetrics: withoutStore,
  getSystem: { valid: () => ({}) },
  getStats: {
    valid: () => ({}),
    special: { 400: { how: "a range that there is not", request: () => ({ query: { range: "1y" } }) } },
  },
  listAgentStats: { valid: () => ({}) },
  getPrices: { valid: () => ({}) },
  setPrices: {
    valid: () => ({ body: { prices: { "openai/gpt-4o": { input: 2.5, output: 10 } } } }),
    special: {
      422: { how: "a price below 0", request: () => ({ body: { prices: { "openai/x": { input: -1, output: 1 } } } }) },
    },
  },
  getOpenApi: withoutStore,
  listNodeTypes: withoutStore,
  readFlow: withoutStore,
  describeRequests: withoutStore,
  sendTestRequest: withoutStore,
  listIntegrations: withoutStore,
  listTemplates: withoutStore,
  getTemplate: {
    ...withoutStore,
    valid: () => ({ params: { id: "event-assistant" } }),
    special: { 404: { how: "a template that does not exist", request: () => ({ params: { id: "unknown" } }) } },
  },
  listCredentialTypes: withoutStore,
  // The model of the world, which other scenarios ask.
  chooseDefaultModel: { valid: () => ({ body: { provider: "openai-compatible" } }) },
  resetDefaultModel: { valid: () => ({}) },
  testModel: { ...withoutStore, valid: () => ({ body: { provider: "rehearsal" } }) },
  getEventApiDocument: withoutStore,
  exportInstallation: {
    valid: () => ({}),
    special: {
      400: { how: "versions that there are not", request: () => ({ query: { versions: "some" } }) },
    },
  },
  getReadiness: {
    ...withoutStore,
    special: {
      503: {
        how: "a store that fails",
        // What was found a moment ago serves for a second.
        request: (world) =>
          world.store.failDuring(() =>
            until(async () => {
              const response = await world.platform.fetch(new Request("http://platform/readyz"));
              return response.status === 503 ? response : undefined;
            }),
          ),
      },
    },
  },
};
