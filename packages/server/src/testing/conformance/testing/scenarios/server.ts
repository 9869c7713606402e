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
  getOpenApi: withoutStore,
  listNodeTypes: withoutStore,
  readFlow: withoutStore,
  describeRequests: withoutStore,
  sendTestRequest: withoutStore,
  listIntegrations: withoutStore,
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
