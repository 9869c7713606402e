import { randomUUID } from "node:crypto";
import type { ChunkPage, JsonObject, UpsertResult } from "@weft/schema";
import { flowOf } from "../../../test-platform.ts";
import type { Scenario, Scenarios, Special } from "../scenario.ts";
import type { Parts, World } from "../world.ts";

const store = async (world: World, fields: JsonObject = {}) => (await world.create("createDocumentStore", fields)).id;

/** Fields of a store that keeps its vectors in another database. */
const elsewhere = ({ vectors }: World) => ({
  vectorStoreConfig: JSON.stringify({ name: "qdrant", config: { url: vectors.url } }),
});

const text = (world: World) => ({
  loader: { name: "plainText", config: { text: `Refunds take ${world.next()} days.` } },
});

/** A store with one chunk in its vector database. */
async function filled(world: World, fields?: JsonObject) {
  const storeId = await store(world, fields);
  const { docId } = await world.platform.json<UpsertResult>("POST", `/document-store/upsert/${storeId}`, text(world));
  return { storeId, loaderId: docId };
}

const named = { fileName: "a.md" };

/** A loader of an uploaded file. */
async function uploaded(world: World): Promise<Parts> {
  const file = "data:text/markdown;base64,UmVmdW5kcw==,filename:a.md";
  const loader = { name: "fileLoader", config: { file } };
  const storeId = await store(world);
  const path = `/document-store/upsert/${storeId}`;
  const { docId } = await world.platform.json<UpsertResult>("POST", path, { loader });
  return { params: { loaderId: docId }, query: named };
}

async function chunk(world: World) {
  const { storeId, loaderId } = await filled(world);
  const page = await world.platform.json<ChunkPage>("GET", `/document-store/chunks/${storeId}/${loaderId}/1`);
  return { storeId, loaderId, chunkId: page.chunks[0]?.id ?? "" };
}

/** A store whose embedding model fails. */
async function failing(world: World): Promise<string> {
  const embeddingConfig = JSON.stringify({
    name: "openai-compatible",
    config: { baseUrl: "http://127.0.0.1:9/v1", model: "m" },
  });
  return store(world, { embeddingConfig });
}

/** While an upsert of a store is under way. */
async function duringUpsert(world: World, storeId: string): Promise<void> {
  const spec = JSON.stringify({ storeId, tasks: [], embeds: true, embeddingConfig: "{}", vectorStoreConfig: "{}" });
  const createdDate = new Date().toISOString();
  const row = { runId: randomUUID(), storeId, agentId: "", requestHash: "", state: "open", createdDate, result: null };
  await world.store.database.write((tx) =>
    tx
      .insertInto("upsertJobs")
      .values({ ...row, spec })
      .execute(),
  );
}

async function job(world: World): Promise<Parts> {
  const { storeId } = await filled(world);
  const [first] = await world.platform.json<{ id: string }[]>("GET", `/document-store/store/${storeId}/upserts`);
  return { params: { id: first?.id ?? "" } };
}

async function loaderBody(world: World, fields?: JsonObject): Promise<{ storeId: string } & JsonObject> {
  return { storeId: await store(world, fields), loaderId: "plainText", loaderConfig: { text: `Text ${world.next()}` } };
}

async function savedLoader(world: World, fields?: JsonObject) {
  const body = await loaderBody(world, fields);
  const { id } = await world.platform.json<{ id: string }>("POST", "/document-store/loader/save", body);
  return { storeId: body.storeId, loaderId: id };
}

async function vectorAgent(world: World, fields?: JsonObject): Promise<string> {
  const flowData = flowOf("vector-store", "Store", { storeId: await store(world, fields) });
  return (await world.create("createAgent", { flowData })).id;
}

const noWait = { prefer: "respond-async" };
const later = (valid: (world: World) => Promise<Parts>): Special => ({
  how: "a request that does not want to wait",
  request: async (world) => ({ ...(await valid(world)), headers: noWait }),
});
const underWay = (valid: (world: World) => Promise<Parts>): Special => ({
  how: "a store that is being upserted",
  async request(world) {
    const parts = await valid(world);
    const { storeId } = (parts.body ?? {}) as { storeId?: string };
    await duringUpsert(world, parts.params?.storeId ?? parts.params?.id ?? storeId ?? "");
    return parts;
  },
});
const unknownStore: Special = {
  how: "the id of a store that does not exist",
  request: async (world) => ({ params: { id: randomUUID() }, body: text(world) }),
};
const malformed = (status: number): Special & { status: number } => ({
  status,
  how: "an id that is not a UUID",
  request: () => ({ params: { id: "nonsense" }, body: {} }),
});
const missing = (params: Record<string, string>, body?: JsonObject): Special => ({
  how: "an id that nothing has",
  request: () => ({ params, ...(body && { body }) }),
});

/** A request that needs the vector database of a store with these fields. */
const failingVectors = (valid: (world: World, fields: JsonObject) => Promise<Parts>): Special & { status: number } => ({
  status: 500,
  how: "a vector database that fails",
  async request(world, operation) {
    const parts = await valid(world, elsewhere(world));
    world.vectors.answerWith({ status: 500, body: '{"status":{"error":"out of disk"}}' });
    try {
      return await world.send(operation, parts);
    } finally {
      world.vectors.answerWith(undefined);
    }
  },
});

const upsert = async (world: World, fields?: JsonObject): Promise<Parts> => ({
  params: { id: await store(world, fields) },
  body: text(world),
});
const refresh = async (world: World): Promise<Parts> => ({ params: { id: (await filled(world)).storeId }, body: {} });
/** What is to be loaded again has changed since. */
const refreshChanged = async (world: World, fields: JsonObject): Promise<Parts> => {
  const { storeId, loaderId } = await filled(world, fields);
  return { params: { id: storeId }, body: { items: [{ docId: loaderId, ...text(world) }] } };
};
const insert = async (world: World): Promise<Parts> => ({ body: { storeId: (await filled(world)).storeId } });
const insertProcessed = async (world: World, fields: JsonObject): Promise<Parts> => {
  const { storeId, loaderId } = await savedLoader(world, fields);
  await world.platform.json("POST", `/document-store/loader/process/${loaderId}`, { storeId });
  return { body: { storeId } };
};
const query = async (world: World, fields?: JsonObject): Promise<Parts> => ({
  body: { storeId: (await filled(world, fields)).storeId, query: "refunds" },
});
const process = async (world: World): Promise<Parts> => {
  const { storeId, loaderId } = await savedLoader(world);
  return { params: { loaderId }, body: { storeId } };
};
const loader = async (world: World): Promise<Parts> => ({ params: await filled(world) });
const editedChunk = async (world: World): Promise<Parts> => ({
  params: await chunk(world),
  body: { pageContent: "Refunds take a minute.", metadata: {} },
});
const vectors = async (world: World, fields?: JsonObject): Promise<Parts> => ({
  params: { id: (await filled(world, fields)).storeId },
});
/** A chat that brought a document, whose store is being upserted. */
const broughtByChat: Special = {
  how: "a chat whose documents are in a store that is being upserted",
  async request(world) {
    const { storeId, loaderId } = await filled(world);
    const { agentId, chatId } = await world.turn();
    await world.store.database.write((tx) =>
      tx.updateTable("documentLoaders").set({ chatAgentId: agentId, chatId }).where("id", "=", loaderId).execute(),
    );
    await duringUpsert(world, storeId);
    return { body: { chatId } };
  },
};
/** A question of a store. */
async function asked(world: World): Promise<Parts> {
  const { storeId } = await filled(world);
  const body = { question: `Question ${world.next()}?`, relevant: ["a.md"] };
  const { id: questionId } = await world.platform.json<{ id: string }>(
    "POST",
    `/document-store/store/${storeId}/questions`,
    body,
  );
  return { params: { id: storeId, questionId } };
}

const questionFile = (first: number, count: number) => ({
  text: JSON.stringify({
    questions: Array.from({ length: count }, (_, index) => ({ question: `Q${first + index}`, relevant: ["a"] })),
  }),
});

const withBody =
  (body: JsonObject) =>
  async (world: World): Promise<Parts> => ({ ...(await asked(world)), body });

async function evaluated(world: World): Promise<Parts> {
  const { params } = await asked(world);
  const path = `/document-store/store/${params?.id}/evaluations`;
  await (await world.platform.send("POST", path, {})).text();
  const [first] = await world.platform.json<{ id: string }[]>("GET", path);
  return { params: { id: params?.id ?? "", evaluationId: first?.id ?? "" } };
}

const fullSet = (body: JsonObject): Special => ({
  how: "a store with 1,000 questions",
  async request(world) {
    const id = await store(world);
    for (const first of [0, 500]) {
      await world.platform.json("POST", `/document-store/store/${id}/question-file`, questionFile(first, 500));
    }
    return { params: { id }, body };
  },
});

const ofAgent = async (world: World, fields?: JsonObject): Promise<Parts> => ({
  params: { id: await vectorAgent(world, fields) },
  body: { overrideConfig: { text: `Text ${world.next()}` } },
});
const withoutStore: Scenario = { isWithoutStore: true };

export const documentStoreScenarios: Scenarios = {
  getDocumentStore: { special: { 404: missing({ id: randomUUID() }) }, also: [malformed(404)] },
  updateDocumentStore: { special: { 404: missing({ id: randomUUID() }, { name: "x" }) }, also: [malformed(404)] },
  deleteDocumentStore: { special: { 404: missing({ id: randomUUID() }) }, also: [malformed(404)] },
  upsertDocuments: {
    valid: upsert,
    also: [
      { status: 400, ...unknownStore },
      {
        status: 400,
        how: "a form whose only file cannot be read",
        async request(world) {
          const body = new FormData();
          body.append("files", new Blob(["no pdf"]), "broken.pdf");
          return { params: { id: await store(world) }, body };
        },
      },
      {
        status: 500,
        how: "an embedding model that fails",
        request: async (world) => ({ params: { id: await failing(world) }, body: text(world) }),
      },
      failingVectors(upsert),
      {
        status: 200,
        how: "a form with files",
        async request(world) {
          const body = new FormData();
          body.append("files", new Blob([`# Note ${world.next()}`]), "note.md");
          return { params: { id: await store(world) }, body };
        },
      },
    ],
  },
  beginUpsert: { valid: upsert, special: { 202: { how: "a valid request", request: (world) => upsert(world) } } },
  beginRefresh: { valid: refresh, special: { 202: { how: "a valid request", request: refresh } } },
  refreshDocuments: { valid: refresh, also: [{ status: 400, ...unknownStore }, failingVectors(refreshChanged)] },
  insertVectors: {
    valid: insert,
    also: [failingVectors(insertProcessed)],
    special: {
      202: later(insert),
      404: { how: "a store that does not exist", request: () => ({ body: { storeId: randomUUID() } }) },
    },
  },
  queryDocumentStore: {
    valid: query,
    also: [
      failingVectors(query),
      {
        status: 400,
        how: "a store that does not exist",
        request: () => ({ body: { storeId: randomUUID(), query: "refunds" } }),
      },
    ],
  },
  saveVectorStoreSettings: {
    valid: async (world) => ({ body: { storeId: await store(world) } }),
    special: { 404: { how: "a store that does not exist", request: () => ({ body: { storeId: randomUUID() } }) } },
  },
  deleteVectors: {
    valid: vectors,
    special: { 404: missing({ id: randomUUID() }), 409: underWay(vectors) },
    also: [failingVectors(vectors)],
  },
  previewLoader: {
    valid: () => ({ body: { loaderId: "plainText", loaderConfig: { text: "Some text" } } }),
    special: {
      404: {
        how: "a store that does not exist",
        request: async (world) => ({ body: { ...(await loaderBody(world)), storeId: randomUUID() } }),
      },
    },
    isWithoutStore: true,
  },
  saveLoader: {
    valid: async (world) => ({ body: await loaderBody(world) }),
    special: {
      404: {
        how: "a store that does not exist",
        request: async (world) => ({ body: { ...(await loaderBody(world)), storeId: randomUUID() } }),
      },
      409: underWay(async (world) => ({ body: await loaderBody(world) })),
    },
  },
  getLoader: { valid: loader },
  getDocumentFile: {
    valid: uploaded,
    special: {
      400: {
        how: "a loaderId that is not a UUID",
        request: () => ({ params: { loaderId: "nonsense" }, query: named }),
      },
      404: {
        how: "a name that no file of the loader has",
        request: async (world) => ({ ...(await uploaded(world)), query: { fileName: "none.md" } }),
      },
    },
  },
  processLoader: { valid: process, special: { 202: later(process) } },
  erasePersonalData: { special: { 409: broughtByChat } },
  deleteLoader: { valid: loader, special: { 409: underWay(loader) } },
  listChunks: { valid: async (world) => ({ params: { ...(await filled(world)), page: "1" } }) },
  updateChunk: {
    valid: editedChunk,
    special: {
      404: {
        how: "a store that does not exist",
        request: async (world) => {
          const { params, body } = await editedChunk(world);
          return { params: { ...params, storeId: randomUUID() }, body };
        },
      },
      409: underWay(editedChunk),
    },
  },
  deleteChunk: {
    valid: async (world) => ({ params: await chunk(world) }),
    special: { 409: underWay(async (world) => ({ params: await chunk(world) })) },
  },
  listStoreQuestions: { valid: asked },
  addStoreQuestion: {
    valid: withBody({ question: "Why?", relevant: ["a.md"] }),
    special: { 422: fullSet({ question: "Why?", relevant: ["a.md"] }) },
  },
  updateStoreQuestion: { valid: withBody({ words: ["because"] }) },
  deleteStoreQuestion: { valid: asked },
  exportStoreQuestions: { valid: asked },
  importStoreQuestions: { valid: withBody(questionFile(0, 3)), special: { 422: fullSet(questionFile(1_000, 1)) } },
  listStoreEvaluations: { valid: asked },
  getStoreEvaluation: { valid: evaluated },
  evaluateStore: { valid: withBody({}) },
  getStoreCheck: { valid: asked },
  updateStoreCheck: { valid: withBody({ afterIndexing: true }) },
  listUpserts: { valid: vectors },
  getUpsert: { valid: job },
  streamUpsert: { valid: job },
  cancelUpsert: { valid: job },
  upsertVectors: {
    valid: ofAgent,
    also: [
      failingVectors(ofAgent),
      {
        status: 400,
        how: "an agent without a vector store node",
        request: async (world) => ({ params: { id: await world.agent() }, body: {} }),
      },
    ],
  },
  listLoaderTypes: withoutStore,
  listSplitters: withoutStore,
  listEmbeddingProviders: withoutStore,
  listVectorStores: withoutStore,
  listRecordManagers: withoutStore,
  listRetrievalSettings: withoutStore,
};
