import { until } from "../../../../../../database/src/testing/until.ts";
import type { Scenarios } from "../scenario.ts";
import type { World } from "../world.ts";

const withoutStore = { isWithoutStore: true } as const;

export const serverScenarios: Scenarios = {
  ping: withoutStore,
  listRetention: withoutStore,
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
  draftFlow: {
    valid: () => ({ body: { request: "Answer questions about orders." } }),
    special: {
      409: {
        how: "a model that drafts nothing",
        request: () => ({ body: { request: "Answer questions.", model: { provider: "rehearsal" } } }),
      },
    },
  },
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
  choosePublicAccess: {
    // Other scenarios ask as visitors who are kept out.
    valid: () => ({ body: { isAllowed: false } }),
    special: {
      409: {
        how: "a choice that the server's environment has made",
        request: async (world, operation) => (await world.openStrict()).send(operation, { body: { isAllowed: true } }),
      },
    },
  },
  askModel: {
    ...withoutStore,
    valid: () => ({ body: { messages: [{ role: "user", content: "Hello" }], model: { provider: "rehearsal" } } }),
  },
  testModel: { ...withoutStore, valid: () => ({ body: { provider: "rehearsal" } }) },
  getEventApiDocument: withoutStore,
  exportInstallation: {
    valid: () => ({}),
    special: {
      400: { how: "versions that there are not", request: () => ({ query: { versions: "some" } }) },
    },
  },
  listUses: { valid: () => ({ query: { kind: "variable", id: "base" } }) },
  getFlowiseImport: withoutStore,
  cancelFlowiseImport: withoutStore,
  uploadFlowiseFile: {
    ...withoutStore,
    valid: () => ({ query: { name: "ExportData.json", sizeBytes: "20" }, body: { Tool: [] } }),
    special: {
      400: { how: "a size that is not a number", request: () => ({ query: { name: "x", sizeBytes: "many" } }) },
      409: {
        how: "a part that does not begin where the upload stands",
        request: () => ({ query: { name: "x", sizeBytes: "20", offset: "10" }, body: {} }),
      },
      415: {
        how: "a compressed body",
        request: () => ({
          query: { name: "x", sizeBytes: "20" },
          headers: { "content-encoding": "gzip" },
          body: {},
        }),
      },
      422: {
        how: "a file that Flowise did not write",
        request: () => ({ query: { name: "x.json", sizeBytes: "2" }, body: {} }),
      },
    },
  },
  startFlowiseImport: {
    ...withoutStore,
    valid: async (world) => {
      await uploadExport(world);
      return { body: { dryRun: true } };
    },
    special: {
      409: {
        how: "no file that was uploaded",
        async request(world) {
          await world.platform.send("DELETE", "/flowise-import");
          return { body: { dryRun: true } };
        },
      },
      422: {
        how: "a workspace that there is not",
        async request(world) {
          await uploadExport(world);
          return { body: { dryRun: true, workspace: "Other" } };
        },
      },
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

async function uploadExport({ platform }: World): Promise<void> {
  await platform.send("DELETE", "/flowise-import");
  const content = { Tool: [{ id: "5d0b1c7e-1a2b-4c3d-8e4f-5a6b7c8d9e0f", name: "tool" }] };
  const { length } = JSON.stringify(content);
  await platform.json("PUT", `/flowise-import/file?name=ExportData.json&sizeBytes=${length}`, content);
}
